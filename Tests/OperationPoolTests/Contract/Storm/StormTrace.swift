import PoolSystem

/// What the threads and the blocks of a storm write down, all in one order.
///
/// Its clock counts what was written. Threads write before a call and after it: what the call did
/// happened in between.
final class StormTrace: Sendable {
  /// What is known of one operation.
  struct Record {
    /// When it was about to be added, and when it had been.
    var adding: Int?
    var added: Int?
    /// When its executions began and ended.
    var begun: [Int] = []
    var ended: [Int] = []
    /// When its gates were about to be opened; `Int.max` for those that are closed.
    var gates: [Int] = []
    var completed = 0
    /// Whether a call has cancelled it, or released a gate.
    var isAsked = false

    /// Since when it may have been handed to a worker.
    fileprivate var isPossible: Int { ended.last ?? adding ?? .max }
  }

  private struct State {
    var clock = 0
    var records: [Record]
    var supplies: [StormSupply: Supply] = [:]
    var faults: [String] = []
  }

  /// What there is of something, and who has it.
  private struct Supply {
    var capacities: [(since: Int, count: Int)]
    var users: [Int: Int] = [:]

    /// The most that there was at any time since.
    func most(since start: Int) -> Int {
      let first = capacities.lastIndex { $0.since <= start } ?? 0
      return capacities[first...].map(\.count).max() ?? 0
    }
  }

  private let state: Monitor<State>

  init(_ count: Int) {
    state = Monitor(State(records: Array(repeating: Record(), count: count)))
  }

  var faults: [String] { state.withLock { $0.faults } }
  var records: [Record] { state.withLock { $0.records } }

  func fault(_ text: String) {
    state.withLock { $0.faults.append(text) }
  }

  /// Changes what is known of an operation; the closure is given the time.
  func write<Value>(_ index: Int, _ body: (inout Record, Int) -> Value) -> Value {
    state.withLock { state in
      state.clock += 1
      return body(&state.records[index], state.clock)
    }
  }

  /// Says how much there is of something from now on.
  func supply(_ name: StormSupply, _ count: Int) {
    state.withLock { state in
      state.clock += 1
      state.supplies[name, default: Supply(capacities: [])].capacities.append((state.clock, count))
    }
  }

  /// An execution begins; returns which one it is, from 1.
  func begin(_ index: Int, taking uses: [StormSupply: Int]) -> Int {
    state.withLock { state in
      state.clock += 1
      for (name, units) in uses.sorted(by: { $0.key < $1.key }) {
        guard let fault = Self.take(units, of: name, for: index, in: &state) else { continue }
        state.faults.append(fault)
      }
      state.records[index].begun.append(state.clock)
      return state.records[index].begun.count
    }
  }

  func end(_ index: Int, taking uses: [StormSupply: Int]) {
    state.withLock { state in
      state.clock += 1
      state.records[index].ended.append(state.clock)
      for name in uses.keys { state.supplies[name]?.users[index] = nil }
    }
  }
}

/// Something of which there is only so much.
enum StormSupply: Hashable, Comparable {
  case width(queue: Int)
  case limit
  case category(String)
}

extension StormTrace {
  /// An operation takes units of something; returns what is wrong with that.
  ///
  /// Whoever was dispatched last of those that have any was dispatched when there was room for all,
  /// and not before the last of them could be; what there was since then is what counts.
  private static func take(
    _ units: Int,
    of name: StormSupply,
    for index: Int,
    in state: inout State
  ) -> String? {
    guard var supply = state.supplies[name] else { return "there is no \(name)" }
    defer {
      supply.users[index] = units
      state.supplies[name] = supply
    }
    let taken = supply.users.values.reduce(0, +)
    let times = (supply.users.keys + [index]).map { state.records[$0].isPossible }
    let capacity = supply.most(since: times.max() ?? 0)
    // One that takes more than there is executes alone.
    guard capacity == 0 || taken > 0 && taken + units > capacity else { return nil }
    return "\(index) makes \(taken + units) of \(capacity) of \(name)"
  }
}
