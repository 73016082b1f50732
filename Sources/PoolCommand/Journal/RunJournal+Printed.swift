import PoolJournal
import PoolSystem
import Synchronization

// What the journal has to know of a regular file behind the standard output.

extension RunJournal {
  /// The part of the file behind the standard output that has what was printed; nil for a pipe, a
  /// terminal or a device.
  static var printedExtent: TargetExtent? {
    Descriptors.writeOffset(of: 1).map { TargetExtent(length: $0, endingIn: []) }
  }

  /// Finds out what the run before has printed into this file, of which the journal has no mark, and
  /// marks that; says from where on this run prints.
  func recognizePrinted() {
    guard var extent = Self.printedExtent else { return }
    var printed = isContinued ? printedTail : PrintedTail()
    // A mark that the disk has must not be of what it has not.
    let mustSync = printed != PrintedTail() && options.opening.durability != .none
    if mustSync, (try? DurableFile.sync(1)) == nil { printed = PrintedTail() }
    state.withLock { $0.printed = printed }
    // What is begun is recognized again if this run is killed behind it.
    if let begun = printed.begun { extent.length = begun.offset }
    journal.writer.note(Array(printed.whole), of: JournalTarget.streamsNumber, extent)
  }

  private var printedTail: PrintedTail {
    guard let start = targets.printedLength, let file = try? Descriptors.reopenFile(1) else {
      return PrintedTail()
    }
    let candidates = journal.unprintedSettlements.compactMap { settlement in
      settlement.kept.flatMap { kept -> PrintedTail.Candidate? in
        let id = KeptOutputID(epoch: settlement.epoch, number: kept.number)
        guard kept.readers.contains(.streams), !targets.has(id, JournalTarget.streamsNumber)
        else { return nil }
        return PrintedTail.Candidate(id: id, outputs: value(of: kept).outputs)
      }
    }
    return PrintedTail(of: OpenFile(file), from: start, candidates)
  }
}
