import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: a text is cut at its delimiters alone, in whatever pieces it arrives.
@Suite("Records")
struct RecordSplitterTests {
  /// The records of a text that arrives in pieces of that size.
  private func records(
    _ text: String,
    _ delimiter: Character = "\n",
    limit: Int = RecordSplitter.lengthLimit,
    piece: Int
  ) throws -> [String] {
    var splitter = RecordSplitter(delimiter: delimiter.asciiValue ?? 0, lengthLimit: limit)
    var records: [String] = []
    let text = bytes(text)
    for start in stride(from: 0, to: text.count, by: piece) {
      text[start..<min(start + piece, text.count)].withUnsafeBytes { splitter.append($0) }
      while let record = try splitter.next() {
        records.append(String(decoding: record, as: UTF8.self))
      }
    }
    if let last = try splitter.last() { records.append(String(decoding: last, as: UTF8.self)) }
    #expect(splitter.count == records.count)
    return records
  }

  @Test("Empty records count, and the last one needs no delimiter", arguments: [1, 2, 3, 100])
  func lines(piece: Int) throws {
    #expect(try records("", piece: piece) == [])
    #expect(try records("a\n\nb c\r\n", piece: piece) == ["a", "", "b c\r"])
    #expect(try records("\na\nb", piece: piece) == ["", "a", "b"])
    #expect(try records("\n", piece: piece) == [""])
    #expect(try records("a\nb\0c\0\0d", "\0", piece: piece) == ["a\nb", "c", "", "d"])
    #expect(try records("a,b\n,", ",", piece: piece) == ["a", "b\n"])
  }

  @Test("A NUL that is no delimiter is an error that names the record", arguments: [1, 2, 100])
  func zero(piece: Int) {
    for (text, delimiter, place) in [
      ("a\nb\0c\n", "\n", "line 2"), ("a\nb\0", "\n", "line 2"), ("a,b,\0", ",", "input 3"),
    ] as [(String, Character, String)] {
      let error = #expect(throws: UsageError.self) { try records(text, delimiter, piece: piece) }
      #expect(error?.message == "\(place): it contains a NUL, which no argument can hold")
      #expect(error?.hint?.contains("-0") == true)
    }
  }

  @Test("A record over the limit is an error, even if it does not end", arguments: [1, 3, 100])
  func longLine(piece: Int) throws {
    #expect(try records("a\nabc\n", limit: 3, piece: piece) == ["a", "abc"])
    for text in ["a\nabcd", "a\nabcd\n"] {
      let error = #expect(throws: UsageError.self) { try records(text, limit: 3, piece: piece) }
      #expect(error?.message == "line 2: it has more than 3 bytes")
    }
  }
}
