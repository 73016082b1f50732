package import PoolSystem

/// A file of lines that a run is to write, as it was found.
package protocol FoundFile {
  var byteCount: Int64 { get }
  var number: FileNumber? { get }
  /// Whether it begins as a file of such lines does, or is empty.
  var hasExpectedStart: Bool { get }
  /// The end of its last whole line.
  var wholeEnd: Int64 { get }
  /// Whether it has the bytes that end there.
  func has(_ extent: TargetExtent) -> Bool
  /// The offset of the first whole line behind an offset that no operation of this journal has
  /// written; nil if there is none.
  func foreignLine(behind offset: Int64) -> Int64?
}

/// What a run does with an existing file of lines.
package enum TargetContinuation: Hashable, Sendable {
  /// It gets everything; what is in it goes.
  case replaced
  /// Its first bytes stay, and lines of this journal's operations behind them go: they are written
  /// again. `target` is nil if the journal does not know the file; all its whole lines stay then.
  case continued(target: UInt32?, keeping: Int64)
  /// It stays as it is, and the run ends; a sentence says why.
  case refused(String)
}

extension JournalTargets {
  /// How a file of lines goes on when a journal is resumed, or lines are added to it.
  package func continuation(
    of file: some FoundFile,
    as role: TargetRoles
  ) -> TargetContinuation {
    if let known = latest(role, file.number), file.number != nil {
      return continuation(of: file, as: known)
    }
    if let moved = inOrder.last(where: { isMoved($0, role, file) }) {
      return continuation(of: file, as: moved)
    }
    guard file.byteCount > 0 else { return .replaced }
    guard file.hasExpectedStart else {
      return .refused("not \(role.file), so nothing is added to it; name another file")
    }
    return .continued(target: nil, keeping: file.wholeEnd)
  }

  /// Whether a file with another number is one that was moved or copied.
  private func isMoved(
    _ target: JournalTarget,
    _ role: TargetRoles,
    _ file: some FoundFile
  ) -> Bool {
    target.role == role && target.extent.tailCount >= TargetExtent.leastTail
      && target.extent.length <= file.byteCount && file.has(target.extent)
  }

  private func continuation(
    of file: some FoundFile,
    as target: JournalTarget
  ) -> TargetContinuation {
    let length = target.extent.length
    let advice = "it is left as it is; name another file, or remove it"
    if file.byteCount < length {
      return .refused("shorter than the \(length) bytes that the journal says it has; \(advice)")
    }
    guard file.has(target.extent) else {
      return .refused("its first \(length) bytes are not those of this journal's runs; \(advice)")
    }
    if let offset = file.foreignLine(behind: length) {
      return .refused("the line at offset \(offset) is not of this journal's runs; \(advice)")
    }
    return .continued(target: target.number, keeping: length)
  }
}
