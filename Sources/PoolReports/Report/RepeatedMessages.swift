package import PoolModel

/// Reports the first message of an unknown type per worker and type, and counts the others.
package struct RepeatedMessages {
  private struct Count {
    var type: String
    var count = 0
  }

  /// Maximum number of types counted separately per worker.
  package static let typeLimit = 16
  /// The name under which further types are counted.
  private static let others = "any other"

  private var counts: [WorkerID: [Count]] = [:]

  package init() {}

  /// Counts a message; returns whether to report it.
  package mutating func add(_ type: String, from worker: WorkerID) -> Bool {
    var types = counts[worker, default: []]
    defer { counts[worker] = types }
    if let place = types.firstIndex(where: { $0.type == type }) {
      types[place].count += 1
      return false
    }
    guard types.count < Self.typeLimit else {
      if types.count == Self.typeLimit { types.append(Count(type: Self.others)) }
      types[Self.typeLimit].count += 1
      return false
    }
    types.append(Count(type: type))
    return true
  }

  /// Removes the counts of a dead worker; returns the lines that report them.
  package mutating func take(of worker: WorkerID) -> [String] {
    (counts.removeValue(forKey: worker) ?? []).filter { $0.count > 0 }.map { entry in
      let messages = entry.count == 1 ? "message" : "messages"
      let type = entry.type == Self.others ? entry.type : "'\(Printable.text(entry.type))'"
      return "worker \(worker) sent \(entry.count) more \(messages) of type \(type); skipped"
    }
  }
}
