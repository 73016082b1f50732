import PoolJournal

/// A file is either no journal, or all of it is accounted for: records, a torn tail, or damage; and
/// what is kept of it after a compaction reads as the same state.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let scan = try? JournalScan(input) else { return 0 }
  let state = JournalState(scan.entries)
  for entry in scan.entries { precondition(input.indices.contains(entry.body.lowerBound)) }
  guard scan.damage.isEmpty else { return 0 }
  let compacted = JournalCompaction.compacted(input, scan)
  guard let again = try? JournalScan(compacted) else { preconditionFailure("compacted to nothing") }
  precondition(again.damage.isEmpty, "a compacted journal is damaged")
  let settled = JournalState(again.entries).settlements
  precondition(settled == state.settlements, "compaction has changed an outcome")
  return 0
}
