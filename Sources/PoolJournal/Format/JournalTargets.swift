package import PoolSystem

/// The targets of a journal's runs, and which of its kept outputs each of them has.
package struct JournalTargets: Sendable {
  /// By their numbers.
  private var targets: [UInt32: JournalTarget] = [:]
  /// The targets that have an output which others lack.
  private var takers: [KeptOutputID: [UInt32]] = [:]

  /// The number for the next new target.
  package var nextNumber: UInt32 { (targets.keys.max() ?? JournalTarget.streamsNumber) + 1 }

  package init() {}

  /// The target with a number.
  package subscript(number: UInt32) -> JournalTarget? { targets[number] }

  mutating func note(_ use: JournalTargetUse) { targets[use.target.number] = use.target }

  mutating func set(_ extent: TargetExtent, of target: UInt32) {
    targets[target]?.extent = extent
  }

  mutating func take(_ id: KeptOutputID, by target: UInt32) {
    if takers[id]?.contains(target) != true { takers[id, default: []].append(target) }
  }

  /// No target lacks an output any more.
  mutating func forget(_ id: KeptOutputID) { takers[id] = nil }

  /// Whether a target has an output.
  package func has(_ id: KeptOutputID, _ target: UInt32) -> Bool {
    takers[id]?.contains(target) == true
  }

  /// The roles whose targets, this run's or others', have an output.
  package func roles(having id: KeptOutputID) -> TargetRoles {
    (takers[id] ?? []).reduce(into: []) { roles, number in
      let isStreams = number == JournalTarget.streamsNumber
      roles.formUnion(isStreams ? .streams : targets[number]?.role ?? [])
    }
  }

  /// The latest target with a role and a file; nil for the file means a stream, pipe or device.
  package func latest(_ role: TargetRoles, _ file: FileNumber?) -> JournalTarget? {
    inOrder.last { $0.role == role && $0.file == file }
  }

  /// All targets, the oldest first.
  var inOrder: [JournalTarget] { targets.values.sorted { $0.number < $1.number } }

  /// Records that lead to the same state.
  func records(epoch: UInt64) -> [JournalRecord] {
    var outputs: [UInt32: [KeptOutputID]] = [:]
    for (id, numbers) in takers {
      for number in numbers { outputs[number, default: []].append(id) }
    }
    let uses = inOrder.map { JournalRecord.target(JournalTargetUse(epoch: epoch, $0)) }
    return uses
      + outputs.sorted { $0.key < $1.key }
      .flatMap { JournalMark.records($0.key, $0.value, nil, epoch: epoch) }
  }
}
