import PoolCore
import PoolEvents
import PoolModel

/// The numbers of operations in one stream of records, from 0 in the order of adding.
///
/// An operation that has ended is forgotten, but for the latest that did not succeed: others may be
/// skipped because of them.
struct RecordNumbers {
  /// The most operations that are remembered after their end.
  static let endedLimit = 4_096

  private var numbers: [OperationID: Int] = [:]
  private var ended: [OperationID: (number: Int, ending: PoolEnding)] = [:]
  /// Those that are remembered, the oldest first from an index on.
  private var order: [OperationID] = []
  private var first = 0
  private var count = 0

  /// Whether no operation is known that has not ended.
  var isAllEnded: Bool { numbers.isEmpty }

  /// Gives an operation a number; false if it has one, or has ended.
  mutating func begin(_ id: OperationID) -> Bool {
    guard numbers[id] == nil, ended[id] == nil else { return false }
    numbers[id] = count
    count += 1
    return true
  }

  /// The number of an operation that has not ended.
  func number(of id: OperationID) -> Int? { numbers[id] }

  /// The operation has ended.
  mutating func end(_ id: OperationID, as ending: PoolEnding) {
    guard let number = numbers.removeValue(forKey: id), ending != .succeeded else { return }
    ended[id] = (number, ending)
    order.append(id)
    guard order.count - first > Self.endedLimit else { return }
    ended[order[first]] = nil
    first += 1
    guard first > Self.endedLimit else { return }
    order.removeFirst(first)
    first = 0
  }

  /// The operation because of which another one was skipped, if it is known.
  func root(of settlement: Settlement) -> EndRecord.Root? {
    guard settlement.root != settlement.operation else { return nil }
    if let known = ended[settlement.root] { return EndRecord.Root(known.number, known.ending) }
    return numbers[settlement.root].map { EndRecord.Root($0, nil) }
  }
}
