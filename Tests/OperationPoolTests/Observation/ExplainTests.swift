import Foundation
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: a queue says of each operation what it waits for, or what it came to, and who holds
/// that; asking changes nothing.
@Suite("Explaining an operation", .timeLimit(.minutes(30)))
struct ExplainTests {
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "no \u{1B}" }
  }

  private func blocks(_ width: Int = 2) throws -> PoolOperationQueue {
    let queue = PoolOperationQueue(fleet: try PoolFleet([]))
    queue.maxConcurrentOperationCount = width
    return queue
  }

  private func named(_ name: String, _ options: PoolOperationOptions = PoolOperationOptions())
    -> PoolOperationOptions
  {
    var options = options
    options.name = name
    return options
  }

  private func block(_ name: String, _ options: PoolOperationOptions = PoolOperationOptions())
    -> PoolBlockOperation
  {
    PoolBlockOperation(options: named(name, options)) {}
  }

  /// An operation that executes until the meeting is joined.
  private func holder(
    in queue: PoolOperationQueue,
    _ options: PoolOperationOptions = PoolOperationOptions()
  ) async throws -> (PoolBlockOperation, Meeting) {
    let end = Meeting(of: 2)
    let holder = PoolBlockOperation(options: named("holder", options)) { end.join() }
    try queue.addOperation(holder)
    #expect(await holder.reaches(.executing))
    return (holder, end)
  }

  private func same(_ one: [PoolOperation], _ other: [PoolOperation]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0 === $1 }
  }

  /// The words without the time at their end.
  private func words(_ explanation: PoolExplanation) -> String {
    explanation.description.replacing(#/[0-9:]+$/#, with: "#")
  }

  @Test("that executes, waits for a slot, or for dependencies")
  func slots() async throws {
    let queue = try blocks(1)
    let (holder, end) = try await holder(in: queue)
    let (second, third, apart) = (block("second"), block("third"), block("apart"))
    try third.addDependency(holder)
    try third.addDependency(apart)
    try queue.addOperations([second, third])
    let explanation = queue.explain(holder)
    guard case .executing(let worker, let time) = explanation.standing else {
      Issue.record("\(explanation)")
      return
    }
    #expect(time >= .zero)
    #expect(words(explanation) == "holder: executes on worker \(worker) for #")
    #expect(
      "\(queue.explain(second))"
        == "second: is ready, and waits for a slot; 1 executing, first in the queue"
    )
    guard case .slots(1, executing: 1) = queue.explain(second).standing else {
      Issue.record("\(queue.explain(second))")
      return
    }
    guard case .dependencies(let others, more: 0) = queue.explain(third).standing else {
      Issue.record("\(queue.explain(third))")
      return
    }
    #expect(same(others, [holder, apart]))
    let lines = "\(queue.explain(third))".split(separator: "\n")
    #expect(lines[0] == "third: waits for 2 dependencies:")
    #expect(lines[1].hasPrefix("  holder, executing for ") && lines[2] == "  apart")
    #expect("\(queue.explain(apart))" == "apart: is in no queue")
    end.join()
    try await holder.finished()
    #expect("\(queue.explain(holder))" == "holder: succeeded")
    #expect("\(queue.explain(third))" == "third: waits for a dependency:\n  apart")
    third.cancel()
    try await queue.allOperationsFinished()
    #expect("\(queue.explain(third))".hasPrefix("third: cancelled"))
  }

  @Test("that failed says why, with words that cannot move the cursor")
  func failure() async throws {
    let queue = try blocks()
    let failing = PoolBlockOperation(options: named("a\u{1B}")) { throw Broken() }
    let skipped = block("b")
    try skipped.addDependency(failing, requiring: .succeeded)
    try queue.addOperations([failing, skipped])
    try await queue.allOperationsFinished()
    #expect("\(queue.explain(failing))" == #"a\x1B: failed: no \x1B"#)
    #expect("\(queue.explain(skipped))".hasPrefix("b: skipped: "))
  }

  @Test("that waits for a limit or a category names it, and the operations that hold it")
  func limits() async throws {
    let queue = try blocks()
    let limit = PoolLimit(1, name: "net")
    var options = PoolOperationOptions(limits: [limit])
    options.exclusive = ["disk"]
    let (holder, end) = try await holder(in: queue, options)
    let second = block("second", PoolOperationOptions(limits: [limit]))
    let third = block("third", PoolOperationOptions(exclusive: ["disk"]))
    try queue.addOperations([second, third])
    let expected = [
      (second, "net", "limit 'net' (1 unit), which these hold:"),
      (third, "disk", "exclusive 'disk', which this holds:"),
    ]
    for (operation, name, words) in expected {
      let explanation = queue.explain(operation)
      guard case .limit(name, units: 1, let holders) = explanation.standing else {
        Issue.record("\(explanation)")
        continue
      }
      #expect(same(holders, [holder]))
      let start = "\(operation.name ?? ""): is ready, and waits for \(words)"
      #expect("\(explanation)".hasPrefix("\(start)\n  holder, executing for "))
    }
    let none = block("none", PoolOperationOptions(limits: [PoolLimit(0)]))
    try queue.addOperation(none)
    #expect(
      "\(queue.explain(none))" == "none: is ready, and waits for limit 'unnamed' (0 units)"
    )
    none.cancel()
    end.join()
    try await queue.allOperationsFinished()
  }

  @Test("that waits for a gate, a condition, or its queue")
  func holds() async throws {
    let queue = try blocks()
    let held = block("held")
    let gate = held.addGate()
    let (begun, writer) = AsyncStream.makeStream(of: Void.self)
    let (end, ender) = AsyncStream.makeStream(of: Void.self)
    try held.addCondition(
      PoolCondition("asked") { _ in
        writer.yield()
        for await _ in end { break }
        return true
      }
    )
    try queue.addOperation(held)
    #expect("\(queue.explain(held))" == "held: waits for a gate to be opened")
    gate.open()
    for await _ in begun { break }
    #expect("\(queue.explain(held))" == "held: its conditions or its input are evaluated")
    queue.isSuspended = true
    ender.yield()
    #expect(await held.reaches(.ready))
    #expect(
      "\(queue.explain(held))" == "held: is ready, and its queue starts nothing: it is suspended"
    )
    queue.maxConcurrentOperationCount = 0
    queue.isSuspended = false
    #expect("\(queue.explain(held))".hasSuffix("its maxConcurrentOperationCount is 0"))
    queue.maxConcurrentOperationCount = 1
    try await queue.allOperationsFinished()
  }

  @Test("that waits for a barrier, or is one")
  func barriers() async throws {
    let queue = try blocks()
    let (holder, end) = try await holder(in: queue)
    let barrier = block("barrier", PoolOperationOptions(isBarrier: true))
    let after = block("after")
    try queue.addOperations([barrier, after])
    guard case .barrier(let first, isOwn: true) = queue.explain(barrier).standing,
      case .barrier(let second, isOwn: false) = queue.explain(after).standing
    else {
      Issue.record("\(queue.explain(barrier)), \(queue.explain(after))")
      return
    }
    #expect(first === holder && second === barrier)
    #expect("\(queue.explain(after))" == "after: waits for a barrier:\n  barrier")
    end.join()
    try await queue.allOperationsFinished()
  }

  @Test("that is in a group, or is one")
  func groups() async throws {
    let queue = try blocks()
    let (holder, end) = try await holder(in: queue)
    let ended = Meeting(of: 2)
    let member = PoolBlockOperation(options: named("member")) { ended.join() }
    let group = try PoolGroupOperation(options: named("group"), operations: [member])
    try group.addDependency(holder)
    #expect("\(queue.explain(member))" == "member: is in no queue")
    try queue.addOperation(group)
    #expect("\(queue.explain(member))" == "member: waits for its group to begin:\n  group")
    #expect("\(queue.explain(group))".hasPrefix("group: waits for a dependency:\n  holder, "))
    end.join()
    #expect(await member.reaches(.executing))
    #expect("\(queue.explain(group))".hasPrefix("group: waits for 1 member:\n  member, executing "))
    ended.join()
    try await queue.allOperationsFinished()
    #expect("\(queue.explain(group))" == "group: succeeded")
  }

  @Test("that is tried again says when")
  func retries() async throws {
    let queue = try blocks()
    let options = PoolOperationOptions(retryPolicy: .retries(1, delay: .seconds(1_000)))
    let failing = PoolBlockOperation(options: named("failing", options)) { throw Broken() }
    let transitions = failing.transitions
    try queue.addOperation(failing)
    for await transition in transitions {
      guard case .retrying = transition else { continue }
      let explanation = queue.explain(failing)
      guard case .delayed(let time) = explanation.standing else {
        Issue.record("\(explanation)")
        break
      }
      #expect(time > .zero && "\(explanation)".hasPrefix("failing: waits to be tried again, in "))
      break
    }
    failing.cancel()
    try await queue.allOperationsFinished()
  }

  @Test("that a process executes, or for which no worker has started")
  func workers() async throws {
    let queue = try PoolOperationQueue(workers: .standard(count: 1))
    let command = PoolCommandOperation(run: ["sleep", "1000"], options: named("command"))
    try queue.addOperation(command)
    #expect(await command.reaches(.executing))
    guard case .executing(let worker, _) = queue.explain(command).standing else {
      Issue.record("\(queue.explain(command))")
      return
    }
    #expect(words(queue.explain(command)) == "command: executes on worker \(worker) for #")
    command.cancel()
    try await queue.allOperationsFinished()
    let silent = try PoolOperationQueue(
      workers: .executable(URL(filePath: "/bin/sleep"), arguments: ["1000"], count: 1)
    )
    let waiting = operation("a\u{1B}", name: "waiting")
    try silent.addOperation(waiting)
    #expect(
      "\(silent.explain(waiting))"
        == #"waiting: is ready, and waits for a worker that serves 'a\x1B' to start"#
    )
    waiting.cancel()
    try await silent.allOperationsFinished()
  }

  @Test("with 100,000 dependencies names ten, and counts the others")
  func many() async throws {
    let queue = try blocks()
    queue.isSuspended = true
    let many = (0..<100_000).map { _ in PoolBlockOperation {} }
    let last = block("last")
    for operation in many { try last.addDependency(operation) }
    try queue.addOperations(many + [last])
    let start = MonotonicClock.now
    guard case .dependencies(let others, more: 99_990) = queue.explain(last).standing else {
      Issue.record("\(queue.explain(last))")
      return
    }
    print("explained in \(MonotonicClock.now - start) ns")
    #expect(same(others, Array(many.prefix(10))))
    queue.isSuspended = false
    try await queue.allOperationsFinished()
  }
}
