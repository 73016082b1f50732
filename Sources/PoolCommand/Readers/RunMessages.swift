import PoolModel
import Synchronization

/// What a run says to people beside its outputs.
final class RunMessages: Sendable {
  let printer: Printer
  private let control: RunControl
  private let verbosity: SharedOptions.Verbosity
  private let dropped = Atomic(0)

  init(_ options: SharedOptions, _ control: RunControl, _ printer: Printer) {
    verbosity = options.verbosity
    (self.control, self.printer) = (control, printer)
  }

  /// Number of remarks of workers and operations that were not printed.
  var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// Prints a message, unless the run is quiet, or only if it is verbose.
  func say(_ text: String, always: Bool = false, verbose: Bool = false) {
    let isWanted = verbosity != .quiet && (!verbose || verbosity == .verbose)
    if isWanted || always { printer.say(Array("opool: \(Printable.lines(text))\n".utf8)) }
  }

  /// False while too much waits to be printed, which makes workers with remarks wait; true again
  /// when the run must end.
  var takesRemarks: Bool { control.earlyExitCode != nil || !printer.isHolding }

  /// Prints a remark of an operation, unless the run is quiet.
  func remark(_ text: String) {
    if verbosity != .quiet { remark(Array("opool: \(text)\n".utf8)) }
  }

  /// Prints a remark of a worker; counts it instead if no worker can be made to wait.
  func remark(_ bytes: [UInt8]) {
    guard control.earlyExitCode != nil, printer.isHolding else { return printer.say(bytes) }
    dropped.add(1, ordering: .relaxed)
  }
}
