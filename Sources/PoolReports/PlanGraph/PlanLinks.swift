import PoolInputs
import PoolModel

/// What the operations of a workload wait for: dependencies, members of groups, and barriers.
///
/// Operations have the numbers of the workload, and groups the numbers behind them.
struct PlanLinks {
  /// Why the second of two waits for the first.
  enum Meaning: UInt8, Hashable, CaseIterable {
    case succeeded, finished, failed, cancelled
    /// The first is a member of the second, which is a group.
    case member
    /// One of them is a barrier.
    case barrier

    init(_ requirement: PoolRequirement) {
      switch requirement {
      case .succeeded: self = .succeeded
      case .finished: self = .finished
      case .failed: self = .failed
      case .cancelled: self = .cancelled
      }
    }

    /// Its name, as a manifest and JSON have it.
    var name: StaticString {
      switch self {
      case .succeeded: "succeeded"
      case .finished: "finished"
      case .failed: "failed"
      case .cancelled: "cancelled"
      case .member: "member"
      case .barrier: "barrier"
      }
    }
  }

  struct Link {
    let from: UInt32
    let to: UInt32
    let meaning: Meaning
  }

  let operationCount: Int
  let groupCount: Int
  private(set) var links: [Link] = []
  /// Whether an operation waits for a group, by the group.
  private(set) var isAwaited: [Bool]

  /// Gathers the links; linear in operations and dependencies.
  init(_ workload: any Workload) {
    (operationCount, groupCount) = (workload.count, workload.groupCount)
    isAwaited = Array(repeating: false, count: groupCount)
    for operation in 0..<operationCount {
      workload.forEachDependency(of: operation) { other, requirement in
        add(other, operation, Meaning(requirement))
        if other >= operationCount { isAwaited[other - operationCount] = true }
      }
    }
    for operation in 0..<operationCount {
      guard let group = workload.group(of: operation), isAwaited[group] else { continue }
      add(operation, operationCount + group, .member)
    }
    addBarriers(of: workload)
  }

  /// Operations and groups together.
  var count: Int { operationCount + groupCount }

  private mutating func add(_ from: Int, _ to: Int, _ meaning: Meaning) {
    links.append(Link(from: UInt32(from), to: UInt32(to), meaning: meaning))
  }

  /// A barrier waits for what ends last of the operations since the barrier before it, and what
  /// begins first behind it waits for it: all others do so through these.
  private mutating func addBarriers(of workload: any Workload) {
    let barriers = (0..<operationCount).filter { workload.isBarrier($0) }
    guard !barriers.isEmpty else { return }
    let inner = InnerLinks(links, operationCount, barriers)
    var last: Int?
    for end in barriers + [operationCount] {
      let span = (last.map { $0 + 1 } ?? 0)..<end
      for operation in span {
        if let last, !inner.hasDependency[operation] { add(last, operation, .barrier) }
        if end < operationCount, !inner.hasDependent[operation] { add(operation, end, .barrier) }
      }
      if span.isEmpty, let last, end < operationCount { add(last, end, .barrier) }
      last = end
    }
  }
}

/// Which operations wait for others between the same two barriers, or are waited for.
private struct InnerLinks {
  private(set) var hasDependency: [Bool]
  private(set) var hasDependent: [Bool]

  init(_ links: [PlanLinks.Link], _ count: Int, _ barriers: [Int]) {
    hasDependency = Array(repeating: false, count: count)
    hasDependent = hasDependency
    // Barriers are in no span.
    var spans = [Int](repeating: 0, count: count)
    var passed = 0
    for operation in 0..<count {
      if passed < barriers.count, barriers[passed] == operation {
        passed += 1
        spans[operation] = -passed
      } else {
        spans[operation] = passed
      }
    }
    for link in links where Int(link.from) < count && Int(link.to) < count {
      let (from, to) = (Int(link.from), Int(link.to))
      guard spans[from] == spans[to] else { continue }
      (hasDependency[to], hasDependent[from]) = (true, true)
    }
  }
}
