import PoolModel
import PoolSystem

@testable import PoolJournal

/// What a journal's file may hold.
///
/// The first byte says what the rest is: the file itself, bodies that get the checksums they need
/// to be records, or changes to a journal that was whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let input = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  switch bytes[0] % 3 {
  case 0: check(input)
  case 1: check(journal(ofBodies: input))
  default: checkChanges(input)
  }
  return 0
}

/// Each line of the input, with a checksum that is right.
private func journal(ofBodies input: [UInt8]) -> [UInt8] {
  var text = JournalBytes.withHeader
  for line in input.split(separator: UInt8(ascii: "\n")) where (2...1_000).contains(line.count) {
    text.append(body: line + [UInt8(ascii: "\n")])
  }
  return text.bytes
}

/// Every byte is part of a record, of damage or of the torn tail; what is kept of it all reads as
/// the same state; and a run can go on from it, or is told why not.
private func check(_ input: [UInt8]) {
  guard let scan = try? JournalScan(input, boot: BootIdentifier.current) else {
    return checkOpening(input, nil)
  }
  checkRanges(scan)
  let state = JournalState(scan.entries)
  let salvaged = reread((try? JournalCompaction.salvaged(input)) ?? [])
  // Nothing was synced of what salvaging writes.
  let facts = { (scan: JournalScan) in
    scan.entries.map(\.record).filter { record in
      if case .synced = record { return false }
      return true
    }
  }
  precondition(facts(salvaged) == facts(scan), "salvage lost some")
  let bytes = (try? JournalCompaction.compacted(input)) ?? []
  let compacted = JournalState(reread(bytes).entries)
  let isSame = state.outcomes.keys.allSatisfy { key in
    state.settlement(of: key, in: input) == compacted.settlement(of: key, in: bytes)
  }
  precondition(isSame, "compaction has changed an outcome")
  precondition(compacted.outcomes.count == state.outcomes.count, "compaction has made an outcome")
  precondition(compacted.epoch == state.epoch, "compaction has forgotten an owner")
  checkOpening(input, scan)
}

private func checkRanges(_ scan: JournalScan) {
  var ranges = scan.entries.map { $0.offset..<$0.body.upperBound } + scan.damage + scan.holes
  if let tail = scan.tornTail { ranges.append(tail) }
  ranges.sort { $0.lowerBound < $1.lowerBound }
  var end = ranges.first?.lowerBound == 0 ? 0 : min(JournalHeader.line.count, scan.byteCount)
  for range in ranges {
    precondition(range.lowerBound == end, "\(end)..<\(range.lowerBound) is nothing")
    end = range.upperBound
  }
  precondition(end == scan.byteCount, "what follows \(end) is nothing")
}

/// Reads what this program wrote.
private func reread(_ bytes: [UInt8]) -> JournalScan {
  guard let scan = try? JournalScan(bytes) else { preconditionFailure("written, and no journal") }
  precondition(scan.findings.isEmpty, "written, and damaged: \(scan.findings)")
  return scan
}

// MARK: - Going on

/// Opens the file as a run does that resumes, first without salvaging.
private func checkOpening(_ input: [UInt8], _ scan: JournalScan?) {
  let path = Array("journal".utf8)
  write(input, to: path)
  let isDamaged = scan?.damage.isEmpty == false
  let isOpen = open(path, salvages: false, scan)
  precondition(!isOpen || !isDamaged, "went on behind damage")
  if isDamaged { _ = open(path, salvages: true, scan) }
}

/// Whether the journal could be opened; if so, it is whole from then on, and says the same.
private func open(_ path: [UInt8], salvages: Bool, _ scan: JournalScan?) -> Bool {
  var options = OpenJournal.Options()
  options.continues = true
  options.salvages = salvages
  options.durability = .none
  do throws(JournalError) {
    let journal = try OpenJournal(path: path, options) { _ in }
    try journal.writer.close()
    let bytes = read(path)
    let again = JournalState(reread(bytes).entries)
    precondition(scan != nil, "went on from what is no journal")
    precondition(again.epoch == journal.epoch, "the owner is not the last one")
    // Those whose outputs cannot be found were left out, where that was wanted.
    let isSame = journal.state.outcomes.keys.allSatisfy { key in
      again.settlement(of: key, in: bytes) == journal.settlement(of: key)
    }
    precondition(isSame, "an outcome has changed")
    return true
  } catch {
    if case .system = error.code { preconditionFailure("\(error)") }
    if error.code == .lostOutputs { precondition(!salvages, "not left out: \(error)") }
    return false
  }
}

private func write(_ bytes: [UInt8], to path: [UInt8]) {
  do throws(JournalError) {
    let file = try JournalFile.open(path: path)
    do {
      try file.cut(to: 0)
      try file.append(bytes)
    } catch {
      preconditionFailure("\(error)")
    }
  } catch {
    preconditionFailure("\(error)")
  }
}

/// Reads the whole file.
private func read(_ path: [UInt8]) -> [UInt8] {
  do {
    let descriptor = try DurableFile.openToRead(path: path)
    defer { Descriptors.close(descriptor) }
    return try SystemIO.readAll(descriptor)
  } catch {
    preconditionFailure("\(error)")
  }
}

// MARK: - Changes

/// Changes up to four bytes in a row of some records, and cuts the end off: exactly the records
/// that are as they were written are accepted.
private func checkChanges(_ input: [UInt8]) {
  var bytes = sample.bytes
  var changed: Set<Int> = []
  for step in stride(from: 0, to: input.count - 3, by: 4) {
    let place = sample.boundaries[0] + (Int(input[step]) << 8 | Int(input[step + 1]))
    guard let record = sample.record(at: place), changed.insert(record).inserted else { continue }
    for index in place..<min(place + 2, sample.boundaries[record + 1]) {
      bytes[index] ^= input[step + 2 + index - place] | 1
    }
  }
  if input.count % 4 == 1, let last = input.last { bytes.removeLast(Int(last)) }
  let expected = sample.records.indices
    .filter { !changed.contains($0) && sample.boundaries[$0 + 1] <= bytes.count }
    .map { sample.records[$0] }
  guard let scan = try? JournalScan(bytes) else { preconditionFailure("the header is whole") }
  precondition(scan.entries.map(\.record) == expected, "\(scan.entries) is accepted")
  check(bytes)
}

/// A journal that was whole.
private struct Sample: Sendable {
  var bytes: [UInt8]
  var records: [JournalRecord] = []
  /// Where each record begins, and at last where the journal ends.
  var boundaries: [Int] = []

  init() {
    var text = JournalBytes.withHeader
    for epoch in 1...3 as ClosedRange<UInt64> {
      records.append(.opened(JournalOpening(epoch: epoch, processID: 7, time: 1_700_000_000_123)))
      if epoch > 1 {
        records.append(.voided(JournalVoiding(epoch: epoch, key: SHA256.digest(of: [0x61]))))
      }
      for number in 0..<4 as Range<UInt8> {
        let id = Array(repeating: 0x61 + number, count: Int(number) * 40 + 1)
        records.append(
          .settled(
            JournalSettlement(epoch: epoch, key: SHA256.digest(of: id), id: id, ending: .succeeded)
          )
        )
      }
    }
    for record in records {
      boundaries.append(text.bytes.count)
      text.append(record)
    }
    bytes = text.bytes
    boundaries.append(bytes.count)
  }

  /// The record to which the byte at a place belongs.
  func record(at place: Int) -> Int? {
    guard place < bytes.count else { return nil }
    return boundaries.dropLast().lastIndex { $0 <= place }
  }
}

private let sample = Sample()
