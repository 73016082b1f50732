import PoolModel

/// An operation on its way into a queue, alone or with its group.
struct QueueEntry {
  let operation: PoolOperation
  /// Its input, as JSON or packed.
  let payload: [UInt8]
  /// Its group, if it is a member of one.
  var group: PoolGroupOperation?
  /// The quality of service of its groups.
  var quality = PoolQualityOfService.default
  /// Its place in the order of a batch that has ranks.
  var rank: Int64 = 0

  /// Operations with the members of the groups among them, each behind its group.
  static func all(_ tops: [Self]) -> [Self] {
    var entries: [Self] = []
    var rest = Array(tops.reversed())
    while let entry = rest.popLast() {
      entries.append(entry)
      guard entry.operation.hasMembers else { continue }
      for var member in entry.operation.memberEntries(inheriting: entry.quality).reversed() {
        member.rank = entry.rank
        rest.append(member)
      }
    }
    return entries
  }
}
