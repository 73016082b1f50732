import PoolModel
import Synchronization

/// What a run says to people beside its outputs.
package final class RunMessages: Sendable {
  package let printer: Printer
  private let run: any ObservedRun
  private let verbosity: Verbosity
  private let dropped = Atomic(0)

  package init(_ verbosity: Verbosity, _ run: any ObservedRun, _ printer: Printer) {
    (self.verbosity, self.run, self.printer) = (verbosity, run, printer)
  }

  /// Number of remarks of workers and operations that were not printed.
  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// Prints a message, unless the run is quiet, or only if it is verbose.
  package func say(_ text: String, always: Bool = false, verbose: Bool = false) {
    let isWanted = verbosity != .quiet && (!verbose || verbosity == .verbose)
    if isWanted || always { printer.say(Array("opool: \(Printable.lines(text))\n".utf8)) }
  }

  /// False while too much waits to be printed, which makes workers with remarks wait; true again
  /// when the run must end.
  package var takesRemarks: Bool { run.isEnding || !printer.isHolding }

  /// Prints a remark of an operation, unless the run is quiet.
  package func remark(_ text: String) {
    if verbosity != .quiet { remark(Array("opool: \(text)\n".utf8)) }
  }

  /// Prints a remark of a worker; counts it instead if no worker can be made to wait.
  package func remark(_ bytes: [UInt8]) {
    guard run.isEnding, printer.isHolding else { return printer.say(bytes) }
    dropped.add(1, ordering: .relaxed)
  }
}
