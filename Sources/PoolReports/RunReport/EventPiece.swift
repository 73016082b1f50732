import PoolEvents
import PoolWire

/// Whole lines of a file of events, which are read beside others.
struct EventPiece: Sendable {
  private(set) var lines: [EventLine] = []
  /// Lines that are no records, by their number in the piece, from 1.
  private(set) var faults: [(line: Int, reason: String)] = []
  /// Number of lines.
  private(set) var count = 0

  /// Divides a file into pieces of about the same size.
  static func ranges(in bytes: [UInt8], atMost count: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for piece in 1...max(count, 1) where start < bytes.count {
      let wanted = max(bytes.count / max(count, 1) * piece, start)
      let feed = piece < count ? bytes[wanted...].firstIndex(of: UInt8(ascii: "\n")) : nil
      let end = feed.map { $0 + 1 } ?? bytes.count
      ranges.append(start..<end)
      start = end
    }
    return ranges
  }

  /// Reads lines; what follows the last line feed is no fault if it is no record.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      count += 1
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      let isWhole = line.endIndex < rest.endIndex
      rest = isWhole ? rest[(line.endIndex + 1)...] : rest[rest.endIndex...]
      if !line.isEmpty { read(line, isWhole: isWhole) }
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>, isWhole: Bool) {
    do throws(JSONError) {
      if let line = try EventLine(line) { lines.append(line) }
    } catch {
      if isWhole { faults.append((count, "\(error)")) }
    }
  }
}
