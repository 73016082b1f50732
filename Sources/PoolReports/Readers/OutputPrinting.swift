package import PoolContents
import PoolEvents
package import PoolInputs
import PoolJournal
package import PoolModel
import PoolSystem
package import PoolWire
import Synchronization

/// Outputs on their way to the printer: of operations that have ended, and of those that execute.
package final class OutputPrinting: OutcomeTaker, Sendable {
  private let workload: any Workload
  private let display: DisplayOptions
  private let keepsOrder: Bool
  private let run: any ObservedRun
  private let printer: Printer
  /// Whether a file of results, a report, or a journal, which keeps an output until its reader has
  /// it, needs outputs that were printed.
  private let isKept: Bool
  /// Whether the outputs of each operation that has failed are a group of lines.
  private let groupsFailures: Bool
  /// Whether the outputs of operations that have ended go to the streams, and not to a folder.
  private let printsEnds: Bool
  /// The operations whose outputs are inputs of others, if that matters.
  private let sources: Set<Int>
  private let live = Mutex(LiveOutputs())

  package init(
    _ workload: any Workload,
    _ display: DisplayOptions,
    keepsOrder: Bool,
    _ run: any ObservedRun,
    _ printer: Printer,
    groupsFailures: Bool = false,
    hasFolder: Bool,
    keepsOutputs: Bool
  ) {
    (self.workload, self.display) = (workload, display)
    (self.run, self.printer, self.keepsOrder) = (run, printer, keepsOrder)
    (isKept, printsEnds) = (hasFolder || keepsOutputs, !hasFolder)
    self.groupsFailures = groupsFailures
    sources = display.isLive ? Self.sources(in: workload) : []
  }

  /// Whether the outputs of operations that fail are printed.
  package var showsFailures: Bool { printsEnds && display.shown != .none }

  /// The outputs of executing operations that the printer has received.
  private struct LiveOutputs {
    /// Operations whose pieces it has received, with their tags.
    private var tags: [Int: [UInt8]?] = [:]
    /// Operations whose further pieces wait for their end, because the printer had too many.
    private var isBehind: Set<Int> = []

    /// Whether to pass the next piece of an operation to the printer; `isRefused` says that the
    /// printer accepts none.
    mutating func takes(_ operation: Int, isRefused: Bool) -> Bool {
      if isRefused { isBehind.insert(operation) }
      return !isBehind.contains(operation)
    }

    /// The tag of an operation, made for its first piece.
    mutating func tag(of operation: Int, _ make: () -> [UInt8]?) -> [UInt8]? {
      if let tag = tags[operation] { return tag }
      let tag = make()
      tags.updateValue(tag, forKey: operation)
      return tag
    }

    /// An attempt has ended; returns whether the printer has pieces of it.
    mutating func end(_ operation: Int) -> Bool {
      isBehind.remove(operation)
      return tags.removeValue(forKey: operation) != nil
    }
  }

  /// Outputs of operations are printed while these execute, if the user wants that, and the printer
  /// can take them.
  package func useOfOutput(of operation: OperationID) -> OutputUse {
    guard display.isLive else { return .atEnd }
    // A run that ends makes no worker wait.
    let isRefused = printer.isHolding && (run.isEnding || printer.isOverfull)
    guard live.withLock({ $0.takes(operation.number, isRefused: isRefused) }) else {
      return .atEnd
    }
    return isKept || sources.contains(operation.number) ? .nowAndAtEnd : .now
  }

  /// How the outputs of a command are handled; an output that another operation takes as its input
  /// must pass through this process.
  package func outputHandling(of operation: Int) -> OutputHandling {
    guard display.isLive else { return .kept }
    return display.isUngrouped && !sources.contains(operation) ? .direct : .live
  }

  /// An operation has written something, which is printed at once.
  package func written(_ operation: Int, _ chunk: OutputChunk) {
    guard !chunk.bytes.isEmpty else { return }
    let stream: OutputStreams.Stream = chunk.isError ? .error : .output
    let tag = live.withLock { $0.tag(of: operation) { self.tag(of: operation) } }
    printer.print(LivePiece(number: operation, stream: stream, bytes: chunk.bytes, tag: tag))
  }

  /// Prints the outputs of an operation that has ended, without the parts printed before.
  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    let record = ended.record
    guard printsEnds, record.memberCount == nil else { return }
    endIfUnread(record)
    guard delivery.isPrinted else { return }
    // What an earlier run has not printed is not shown either, and stays in the journal.
    let isShown = delivery.roles.contains(.streams) && display.shown.includes(record.ending)
    let outputs = isShown ? ended.unprintedOutputs : .empty
    guard groupsFailures, record.ending.isFailure, !display.isLive, !outputs.isEmpty else {
      return print(record.number, outputs)
    }
    let title = workload.failure(record).sentence
    printer.print(record.number, outputs, tag: tag(of: record.number), inGroup: title)
  }

  /// If order is kept, an operation without output needs its turn, too.
  private func print(_ operation: Int, _ outputs: OutputPair) {
    let isLive = display.isLive && live.withLock { $0.end(operation) }
    guard keepsOrder || isLive || !outputs.isEmpty else { return }
    printer.print(operation, outputs, tag: outputs.isEmpty ? nil : tag(of: operation))
  }

  /// Prints the outputs of an attempt that has ended, and that another follows; returns whether
  /// lines of it may have been printed.
  package func printAttempt(_ operation: Int, _ outputs: OutputPair) -> Bool {
    guard display.isLive else { return false }
    if live.withLock({ $0.end(operation) }) || !outputs.isEmpty {
      printer.printAttempt(operation, outputs, tag: tag(of: operation))
      return true
    }
    // What it wrote by itself is not seen here.
    return display.isUngrouped
  }

  /// The operations whose outputs are inputs of others.
  private static func sources(in workload: any Workload) -> Set<Int> {
    var sources: Set<Int> = []
    for operation in 0..<workload.count {
      workload.forEachInput(of: operation) { _, source in sources.insert(source) }
    }
    return sources
  }

  /// Ends the run if a command that wrote to a stream of this process has ended because the stream
  /// has no reader: so would all others.
  private func endIfUnread(_ record: EndRecord) {
    guard display.isUngrouped, record.signal == ProcessSignal.pipe.number,
      SystemIO.hasLostReader(1) || SystemIO.hasLostReader(2)
    else { return }
    run.end(as: .closedOutput)
  }

  private func tag(of operation: Int) -> [UInt8]? {
    display.tag?.bytes(workload.tagInput(of: operation))
  }
}
