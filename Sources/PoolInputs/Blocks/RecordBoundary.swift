/// The places between records: behind the text that ends one, and before the text that starts one.
///
/// With both, only a place between the two is a boundary, since either may occur within a record.
/// Without any, every place is one.
package struct RecordBoundary: Hashable, Sendable {
  /// Number of bytes before the boundary that belong to it.
  package let endCount: Int
  /// The end of a record and the start of the next one.
  package let pattern: [UInt8]

  /// Number of bytes behind the boundary that belong to it.
  package var startCount: Int { pattern.count - endCount }

  package init(end: [UInt8], start: [UInt8] = []) {
    endCount = end.count
    pattern = end + start
  }

  /// Number of bytes that the text of a start or an end may have.
  package static let textLimit = 1_024

  /// Records that end with a line feed.
  package static let lines = Self(end: [UInt8(ascii: "\n")])

  /// The first boundary whose text begins at an offset or after it; nil if there is none.
  package func first(from offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let head = pattern.first else { return offset <= bytes.count ? offset : nil }
    let last = bytes.count - pattern.count
    var index = offset
    while index <= last {
      if bytes[index] == head, matches(at: index, in: bytes) { return index + endCount }
      index += 1
    }
    return nil
  }

  /// Where the texts of boundaries behind a place begin at the earliest.
  package func firstText(behind place: Int) -> Int { max(place + 1 - endCount, 0) }

  /// The last boundary up to a place, but not at 0; nil if there is none.
  package func last(through place: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = min(place - endCount, bytes.count - pattern.count)
    // A boundary at 0 would make an empty block.
    let least = endCount > 0 ? 0 : 1
    guard let head = pattern.first else { return index >= least ? index : nil }
    while index >= least {
      if bytes[index] == head, matches(at: index, in: bytes) { return index + endCount }
      index -= 1
    }
    return nil
  }

  private func matches(at index: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    for offset in 1..<max(pattern.count, 1) where bytes[index + offset] != pattern[offset] {
      return false
    }
    return true
  }
}
