import PoolModel

/// Messages of unknown types: the first of each worker and type is told, the others are counted.
struct RepeatedMessages {
  private struct Count {
    var type: String
    var count = 0
  }

  /// How many types of one worker are told apart.
  static let typeLimit = 16
  /// What the others are counted as.
  private static let others = "any other"

  private var counts: [WorkerID: [Count]] = [:]

  /// One more message of that type; returns whether it is to be told.
  mutating func add(_ type: String, from worker: WorkerID) -> Bool {
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

  /// What is to be told of those that were only counted, once a worker is gone.
  mutating func take(of worker: WorkerID) -> [String] {
    (counts.removeValue(forKey: worker) ?? []).filter { $0.count > 0 }.map { entry in
      let messages = entry.count == 1 ? "message" : "messages"
      let type = entry.type == Self.others ? entry.type : "'\(Printable.text(entry.type))'"
      return "worker \(worker) sent \(entry.count) more \(messages) of type \(type); skipped"
    }
  }
}
