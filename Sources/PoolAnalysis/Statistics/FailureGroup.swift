import PoolEvents
package import PoolModel

/// Operations that did not succeed for the same reason.
package struct FailureGroup: Sendable {
  package let ending: PoolEnding
  package let cause: PoolFailureCause?
  /// What the first one says, for people.
  package let message: String
  /// The places of the operations in the history, in order.
  package fileprivate(set) var members: [Int]

  /// The failures of a run by cause and message, without numbers in it, the most frequent first;
  /// time is linear in the failures.
  package static func all(of history: RunHistory) -> [FailureGroup] {
    var places: [Key: Int] = [:]
    var groups: [FailureGroup] = []
    for place in history.operations.indices {
      guard let end = history.operations[place].end, end.ending.isFailure else { continue }
      let message = end.message ?? ""
      let key = Key(end.ending, end.cause, exit: end.exit, signal: end.signal, shape(of: message))
      if let index = places[key] {
        groups[index].members.append(place)
      } else {
        places[key] = groups.count
        groups.append(
          FailureGroup(ending: end.ending, cause: end.cause, message: message, members: [place])
        )
      }
    }
    return groups.sorted { ($1.members.count, $0.members[0]) < ($0.members.count, $1.members[0]) }
  }

  /// A message whose numbers are all the same.
  private static func shape(of message: String) -> [UInt8] {
    var shape: [UInt8] = []
    for byte in message.utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if !isDigit { shape.append(byte) } else if shape.last != 0 { shape.append(0) }
    }
    return shape
  }

  private struct Key: Hashable {
    var ending: PoolEnding
    var cause: PoolFailureCause?
    var exit: Int32?
    var signal: Int32?
    var shape: [UInt8]

    init(
      _ ending: PoolEnding,
      _ cause: PoolFailureCause?,
      exit: Int32?,
      signal: Int32?,
      _ shape: [UInt8]
    ) {
      (self.ending, self.cause, self.exit, self.signal) = (ending, cause, exit, signal)
      self.shape = shape
    }
  }
}
