/// Cuts pieces of a text into records; each ends with a delimiter, which the last one may lack.
///
/// Empty records count. A delimiter in a record is impossible, and a NUL, which no argument can
/// hold, is an error unless it is the delimiter, or allowed.
package struct RecordSplitter {
  /// Maximum length of a record: 128 MiB, because a command may take a part of it only.
  package static let lengthLimit = 128 << 20

  package let delimiter: UInt8
  private let lengthLimit: Int
  private let allowsNULs: Bool
  /// What has arrived and was not taken, from `start` on.
  private var text: [UInt8] = []
  private var start = 0
  /// Where the search for the next delimiter goes on.
  private var searched = 0
  /// Number of records that were taken.
  package private(set) var count = 0

  package init(
    delimiter: UInt8 = UInt8(ascii: "\n"),
    lengthLimit: Int = Self.lengthLimit,
    allowsNULs: Bool = false
  ) {
    self.delimiter = delimiter
    self.lengthLimit = lengthLimit
    self.allowsNULs = allowsNULs || delimiter == 0
  }

  /// Appends a piece of the text.
  package mutating func append(_ piece: UnsafeRawBufferPointer) {
    if start > 0 {
      text.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    text.append(contentsOf: piece)
  }

  /// Takes the next whole record; nil if its end has not arrived.
  package mutating func next() throws(UsageError) -> [UInt8]? {
    guard let end = text[searched...].firstIndex(of: delimiter) else {
      try check(start..<text.count)
      searched = text.count
      return nil
    }
    return try take(end, next: end + 1)
  }

  /// Takes the rest of the text, after the last delimiter; nil if there is none.
  package mutating func last() throws(UsageError) -> [UInt8]? {
    guard start < text.count else { return nil }
    return try take(text.count, next: text.count)
  }

  private mutating func take(_ end: Int, next: Int) throws(UsageError) -> [UInt8] {
    try check(start..<end)
    let record = Array(text[start..<end])
    (start, searched) = (next, next)
    count += 1
    return record
  }

  private func check(_ range: Range<Int>) throws(UsageError) {
    // What comes after a NUL does not matter, nor does a long text before one that is too long.
    if !allowsNULs, text[max(searched, range.lowerBound)..<range.upperBound].contains(0) {
      throw nulError
    }
    if range.count > lengthLimit { throw lengthError }
  }

  /// The record that is taken next, for people.
  private var place: String {
    "\(delimiter == UInt8(ascii: "\n") ? "line" : "input") \(count + 1)"
  }

  private var nulError: UsageError {
    UsageError(
      "\(place): it contains a NUL, which no argument can hold",
      hint: "write -0 if NULs end the inputs, as those of 'find -print0' do",
      topic: .map
    )
  }

  private var lengthError: UsageError {
    UsageError(
      "\(place): it has more than \(lengthLimit) bytes",
      hint: "give long inputs in files, and the names of these as inputs",
      topic: .map
    )
  }
}
