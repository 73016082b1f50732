package import PoolJournal
package import PoolSystem

/// How a target of a run begins.
package struct TargetStart {
  package var role: TargetRoles
  /// The file or folder; nil for a stream, a pipe or a device.
  package var file: FileNumber?
  /// A target that an earlier run of the journal has used, too.
  package var known: JournalTarget?
  /// Number of bytes of a file of lines that stay.
  package var keptByteCount: Int64 = 0
  /// The length to which a file is cut; nil for one that stays whole.
  ///
  /// Other runs may add lines to such a file between the look at it and its opening.
  package var cutLength: Int64? = 0
  /// Makes the disk have what was written; nil if nothing of it is kept.
  package var sync: (@Sendable () throws(SystemFailure) -> Void)?

  package init(role: TargetRoles, file: FileNumber? = nil) {
    self.role = role
    self.file = file
  }

  /// Whether it gets a line for each operation, also for those whose values are not kept any more.
  package var isNew: Bool { keptByteCount == 0 && (known == nil || file == nil) }

  /// Goes on with a file that was found, as far as a journal knows it; returns why it may not.
  ///
  /// Only a file that has something to cut is cut.
  package mutating func `continue`(_ found: some FoundFile, by targets: JournalTargets) -> String? {
    switch targets.continuation(of: found, as: role) {
    case .replaced: keptByteCount = 0
    case .continued(let number, let count):
      (known, keptByteCount) = (number.flatMap { targets[$0] }, count)
    case .refused(let reason): return reason
    }
    cutLength = found.byteCount > keptByteCount ? keptByteCount : nil
    return nil
  }

  /// The target, under a new number if it is not known.
  package func target(number: UInt32) -> JournalTarget {
    if let known, known.extent.length == keptByteCount {
      return JournalTarget(number: known.number, role, file, known.extent)
    }
    let extent = TargetExtent(length: keptByteCount, endingIn: [])
    return JournalTarget(number: known?.number ?? number, role, file, extent)
  }
}
