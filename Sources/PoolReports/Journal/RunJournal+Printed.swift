import PoolContents
import PoolJournal
import PoolModel
import PoolSystem
import Synchronization

// What the journal has to know of a regular file behind the standard output.

/// A regular file behind the standard output, which the user may read.
struct PrintedFile: Sendable {
  private let file: OpenFile
  let number: FileNumber?

  /// Nil for a pipe, a terminal or a device, and for a file that may not be read.
  init?(of descriptor: Int32 = 1) {
    guard Descriptors.writeOffset(of: descriptor) != nil,
      let copy = try? Descriptors.reopenFile(descriptor)
    else { return nil }
    file = OpenFile(copy)
    number = FileIdentity(copy)?.number
  }

  /// The part that has what was printed; nil if it cannot be read.
  var extent: TargetExtent? {
    Descriptors.writeOffset(of: 1).flatMap { extent(upTo: $0) }
  }

  /// The part up to an offset, with the sum of its last bytes.
  func extent(upTo length: Int64) -> TargetExtent? {
    var tail: [UInt8] = []
    let start = max(length - Int64(TargetExtent.tailLimit), 0)
    guard
      (try? SystemIO.forEachPiece(of: file.descriptor, start..<length, { tail += $0 })) != nil,
      Int64(tail.count) == length - start
    else { return nil }
    return TargetExtent(length: length, endingIn: tail)
  }

  /// Searches for outputs behind a part that is there, unchanged.
  func tail(behind known: TargetExtent, _ candidates: () -> [PrintedTail.Candidate]) -> PrintedTail
  {
    guard let size = try? Descriptors.size(of: file.descriptor), size > known.length,
      extent(upTo: known.length) == known
    else { return PrintedTail() }
    return PrintedTail(of: file, from: known.length, candidates())
  }
}

extension RunJournal {
  /// Finds out what the last run that printed into the file behind the standard output has printed
  /// there without a mark in the journal, and marks that; says which file this is, and from where
  /// on this run prints.
  ///
  /// The rest of an output that was torn is printed here, before anything else.
  ///
  /// The file is a target of its own, with a new number.
  func recognizePrinted(as number: UInt32) {
    let file = PrintedFile()
    var target = JournalTarget(number: number, .streams, file?.number)
    defer { journal.writer.append(.target(JournalTargetUse(epoch: journal.epoch, target))) }
    guard let file, var extent = file.extent else { return }
    var printed = PrintedTail()
    if isContinued, file.number != nil, let known = targets.latest(.streams, file.number) {
      printed = file.tail(behind: known.extent) { candidates }
    }
    complete(&printed)
    // A mark that the disk has must not be of what it has not.
    let mustSync = !printed.isEmpty && options.opening.durability != .none
    if mustSync, (try? DurableFile.sync(1)) == nil { printed = PrintedTail() }
    let offset = printed.begun?.offset
    if let known = offset.map({ file.extent(upTo: $0) }) ?? file.extent { extent = known }
    target.extent = extent
    state.withLock { state in
      state.printed = printed
      state.printedFile = (file, number)
    }
    journal.writer.note(Array(printed.whole), of: JournalTarget.streamsNumber, nil)
  }

  /// Prints the rest of a torn output; it still counts as begun if its error output may be missing.
  private func complete(_ printed: inout PrintedTail) {
    guard let begun = printed.begun else { return }
    let rest = begun.outputs.output.dropFirst(begun.byteCount)
    guard (try? rest.copy(to: 1, while: { true })) != nil else { return }
    printed.complete()
  }

  private var candidates: [PrintedTail.Candidate] {
    journal.unprintedEnds.compactMap { end in
      end.kept.flatMap { kept -> PrintedTail.Candidate? in
        let id = KeptOutputID(epoch: end.epoch, number: kept.number)
        guard kept.readers.contains(.streams), !targets.has(id, JournalTarget.streamsNumber)
        else { return nil }
        return PrintedTail.Candidate(id: id, outputs: value(of: kept).outputs)
      }
    }
  }

  /// The standard streams have the outputs of these operations.
  package func notePrinted(_ operations: [Int]) {
    note(operations, by: .streams, state.withLock { $0.printedFile }?.file.extent)
  }
}
