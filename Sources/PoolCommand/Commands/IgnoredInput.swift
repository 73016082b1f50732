import PoolInputs
import PoolReports
import PoolSystem

/// Standard input that a user wants to be read, as in `find -print0 | opool map … :::`, although
/// the inputs have other sources.
final class IgnoredInput {
  private let isIgnored: Bool
  /// Whether the options alone say that the user means the standard input.
  private let isMeant: Bool
  private var isAnnounced = false

  init(_ options: MapOptions) {
    let sources = options.inputs.effectiveSources
    isIgnored =
      options.shared.verbosity != .quiet && !sources.contains { $0.place == .standardInput }
    isMeant = sources.allSatisfy { source in
      guard case .arguments(let arguments) = source.place else { return false }
      return arguments.isEmpty || options.inputs.delimiter != UInt8(ascii: "\n")
    }
  }

  /// Says it before the run, as far as it is known then.
  func announce() {
    announce(if: isMeant ? hasUnreadFile || hasOwnPipe : hasUnreadBytes)
  }

  /// Says it after the run, if bytes came meanwhile.
  func announceRest() {
    announce(if: hasUnreadBytes)
  }

  private var hasUnreadBytes: Bool { hasOwnPipe && Descriptors.unreadByteCount(in: 0) > 0 }

  /// A pipe that the parent has, too, such as that of a loop of `while read`, is for the parent.
  private var hasOwnPipe: Bool { Descriptors.isPipe(0) && !CurrentProcess.sharesInputWithParent }

  /// A file of which nothing was read is for this process, even if a shell that starts it has it
  /// open meanwhile.
  private var hasUnreadFile: Bool { Descriptors.isUnreadFile(0) }

  private func announce(if isTrue: @autoclosure () -> Bool) {
    guard isIgnored, !isAnnounced, isTrue() else { return }
    isAnnounced = true
    CurrentProcess.complain(
      "opool: the standard input is ignored: ::: and :::: name the inputs; "
        + "leave them out, or write :::: -"
    )
  }
}
