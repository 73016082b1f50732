import PoolModel
import Testing

@testable import PoolCore

/// The graph alone: without workers, and without a dispatcher.
@Suite("The graph alone")
struct GraphTests {
  private let kind = KindID(rawValue: 0)
  private let queue = QueueID(rawValue: 0)

  private func makeGraph() -> Graph {
    var graph = Graph()
    graph.add(queue)
    return graph
  }

  private func add(
    _ graph: inout Graph,
    after others: [OperationHandle] = [],
    _ change: (inout OperationSpec) -> Void = { _ in }
  ) -> OperationHandle {
    var spec = OperationSpec(kind: kind)
    change(&spec)
    let handle = graph.create(spec, claims: .none).handle
    var context = EventContext()
    for other in others { _ = graph.link(handle, to: other, requiring: .succeeded, &context) }
    return handle
  }

  /// Enters operations; returns those whose turn has come.
  private func enter(
    _ handles: [OperationHandle],
    _ graph: inout Graph,
    _ context: inout EventContext
  ) -> [OperationHandle] {
    let cycle = graph.enter(handles, in: queue, areRanked: false)
    #expect(cycle == nil)
    for (position, handle) in handles.enumerated() {
      graph.operations[handle].position = UInt32(position)
      if graph.activate(handle, &context) { graph.consequences.append(.due(handle)) }
    }
    return due(&graph, &context)
  }

  /// Has dependents hear of all ends; returns the operations whose turn has come.
  private func due(_ graph: inout Graph, _ context: inout EventContext) -> [OperationHandle] {
    var found: [OperationHandle] = []
    repeat {
      while let consequence = graph.nextConsequence(&context) {
        if case .due(let handle) = consequence { found.append(handle) }
      }
    } while graph.deliverNextEnd(&context)
    return found
  }

  private func expect(
    _ found: [OperationHandle],
    _ expected: [OperationHandle],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, sourceLocation: location)
  }

  private func problems(_ graph: borrowing Graph) -> [String] {
    var demand = InvariantCheck()
    graph.demandSound(&demand)
    return demand.broken + graph.edges.brokenInvariants()
  }

  private func endings(_ context: EventContext) -> [PoolEnding] {
    context.effects.compactMap { effect in
      if case .settle(let settlement) = effect { return settlement.ending }
      return nil
    }
  }

  @Test("a dependent becomes ready when all that it waits for has ended as required")
  func turns() {
    var graph = makeGraph()
    var context = EventContext()
    let (a, b) = (add(&graph), add(&graph))
    let c = add(&graph, after: [a, b])
    expect(enter([a, b, c], &graph, &context), [a, b])
    graph.settle(a, as: OperationEnd(.succeeded, .answer), &context)
    expect(due(&graph, &context), [])
    graph.settle(b, as: OperationEnd(.succeeded, .answer), &context)
    expect(due(&graph, &context), [c])
    graph.becomeReady(c, &context)
    graph.settle(c, as: OperationEnd(.cancelled, .request), &context)
    expect(due(&graph, &context), [])
    #expect(problems(graph) == [])
    #expect(graph.unsettledCount == 0)
    #expect(endings(context) == [.succeeded, .succeeded, .cancelled])
  }

  @Test("a failure skips all that waits for it, link by link, and names where it began")
  func skips() {
    var graph = makeGraph()
    var context = EventContext()
    var handles = [add(&graph)]
    for _ in 0..<1_000 { handles.append(add(&graph, after: handles.suffix(1))) }
    expect(enter(handles, &graph, &context), [handles[0]])
    graph.settle(handles[0], as: OperationEnd(.failed, .answer), &context)
    expect(due(&graph, &context), [])
    #expect(endings(context) == [.failed] + Array(repeating: .skipped, count: 1_000))
    let root = graph.operations.id(of: handles[0])
    #expect(
      context.effects.allSatisfy { effect in
        if case .settle(let settlement) = effect { return settlement.root == root }
        return false
      }
    )
    #expect(problems(graph) == [])
  }

  @Test("what has left its queue is passed on with its position, once")
  func departures() {
    var graph = makeGraph()
    var context = EventContext()
    let (a, b) = (add(&graph), add(&graph))
    expect(enter([a, b], &graph, &context), [a, b])
    graph.lists[queue].isDropped = true
    graph.settle(b, as: OperationEnd(.succeeded, .answer), &context)
    graph.settle(a, as: OperationEnd(.succeeded, .answer), &context)
    var words: [String] = []
    while let consequence = graph.nextConsequence(&context) {
      switch consequence {
      case .departed(let handle, let position): words.append("\(handle.offset) left \(position)")
      case .emptied(let queue): words.append("\(queue.offset) is empty")
      case .due, .withdrawn, .moved, .cancelled: words.append("\(consequence)")
      }
    }
    #expect(words == ["1 left 1", "0 left 0", "0 is empty"])
  }

  @Test(
    "an attempt that failed is due again at once, or after the delay of its rule, while it may be"
  )
  func retries() {
    var graph = makeGraph()
    var context = EventContext()
    let a = add(&graph) { $0.retries = 1 }
    let b = add(&graph) {
      $0.retries = 1
      $0.retryRule = RetryRule(delay: 1_000)
    }
    let c = add(&graph) { $0.retries = 1 }
    expect(enter([a, b, c], &graph, &context), [a, b, c])
    for (handle, mayRetry) in [(a, true), (b, true), (c, false)] {
      execute(handle, &graph, &context)
      let end = OperationEnd(.failed, .answer, on: WorkerID(rawValue: 1))
      graph.leaveWorker(handle, as: end, mayRetry: mayRetry, &context)
    }
    expect(due(&graph, &context), [a])
    #expect(endings(context) == [.failed])
    context.now = Instant(nanoseconds: 1_500)
    while graph.fireTimer(&context) {}
    expect(due(&graph, &context), [b])
    #expect(graph.executingCount == 0)
  }

  private func execute(
    _ handle: OperationHandle,
    _ graph: inout Graph,
    _ context: inout EventContext
  ) {
    graph.becomeReady(handle, &context)
    let number = DispatchNumber(rawValue: 1)
    graph.operations[handle].dispatch(
      OperationDispatch(worker: WorkerHandle(0), takesSlots: true, number: number)
    )
    _ = graph.execute(handle, on: WorkerID(rawValue: 1), &context)
  }

  @Test("what an urgent operation waits for is raised to its level, and nothing else")
  func raising() {
    var graph = makeGraph()
    var context = EventContext()
    let (a, b) = (add(&graph), add(&graph))
    let heir = add(&graph, after: [a]) {
      $0.priority = .veryHigh
      $0.raisesDependencies = true
    }
    let other = add(&graph, after: [b]) { $0.priority = .veryHigh }
    for handle in [heir, other] { graph.raiseDependencies(of: handle) }
    while graph.nextConsequence(&context) != nil {}
    #expect(graph.operations[a].level == PoolQueuePriority.veryHigh.level)
    #expect(graph.operations[b].level == PoolQueuePriority.normal.level)
    graph.raiseDependencies(of: heir)
    #expect(graph.pendingChanges.isEmpty)
  }
}
