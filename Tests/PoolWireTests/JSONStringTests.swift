import PoolWire
import Testing

/// Strings are read as RFC 8259 and Unicode have them, and as nothing else.
@Suite("JSON strings")
struct JSONStringTests {
  private func read(_ text: String) throws(JSONError) -> String {
    try read(Array(text.utf8))
  }

  private func read(_ bytes: [UInt8]) throws(JSONError) -> String {
    try bytes.scanned { scanner throws(JSONError) in
      let text = try scanner.string()
      try scanner.expectEnd()
      return text
    }
  }

  @Test("Escapes stand for what they say")
  func escapes() throws {
    #expect(try read(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try read(#""\u0041\u00e9\u20AC\u0000""#) == "Aé€\u{0}")
    #expect(try read(#""\uD83E\uDD80\ud83e\udd80""#) == "\u{1F980}\u{1F980}")
  }

  @Test("Every character is read from its escape, alone and in a run of others")
  func allEscapes() throws {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).lazy
      .filter { $0 < 0x10000 || $0 % 1_021 == 0 }
      .compactMap { Unicode.Scalar($0) }
    var (run, text) = ("", "")
    for scalar in scalars {
      for unit in UTF16.encode(scalar) ?? .init() {
        let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
        run += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      text.unicodeScalars.append(scalar)
    }
    #expect(try Array(read("\"\(run)\"").unicodeScalars) == Array(text.unicodeScalars))
    #expect(try read(#""\u001b[31m\u001B\\\u001bé\u00e9""#) == "\u{1B}[31m\u{1B}\\\u{1B}éé")
  }

  @Test("The first error is named, whether it is of an escape or of UTF-8")
  func firstErrors() {
    let wrong: [UInt8] = [0x22, 0x61, 0xFF, 0x5C, 0x78, 0x22]
    #expect(throws: JSONError(.invalidUTF8, at: 2)) { try read(wrong) }
    #expect(throws: JSONError(.invalidEscape, at: 1)) { try read([0x22, 0x5C, 0x78, 0xFF, 0x22]) }
    #expect(throws: JSONError(.invalidUTF8, at: 1)) { try read([0x22, 0xFF, 0x01, 0x22]) }
  }

  @Test(
    "Escapes that JSON does not know are refused",
    arguments: [
      #""\x""#, #""\'""#, #""\U0041""#, #""\u00g0""#, #""\u+041""#, #""\u 041""#, #""\u004"#,
      #""\"#, #""\u"#, "\"\\u00\u{FF11}\"",
    ]
  )
  func wrongEscapes(text: String) {
    #expect(throws: JSONError.self) { try read(text) }
  }

  @Test(
    "Half of a surrogate pair is refused",
    arguments: [
      #""\uD83E""#, #""\uDD80""#, #""\uD83Ex""#, #""\uD83E\n""#, #""\uD83E\u0041""#,
      #""\uD83E\uD83E""#, #""\uDD80\uD83E""#,
    ]
  )
  func loneSurrogates(text: String) {
    #expect(throws: JSONError(.loneSurrogate, at: 1)) { try read(text) }
  }

  @Test("Control characters must be escaped, and no others")
  func controlCharacters() throws {
    for byte in 0..<0x20 as Range<UInt8> {
      #expect(throws: JSONError(.controlCharacter, at: 2)) { try read([0x22, 0x61, byte, 0x22]) }
    }
    #expect(try read("\"\u{7F}\u{80}\u{2028}\"") == "\u{7F}\u{80}\u{2028}")
  }

  @Test("A special byte is seen at each offset from the start, among eight at a time")
  func eachOffset() throws {
    for offset in 0..<40 {
      let plain = [UInt8](repeating: 0x61, count: offset)
      let rest = [UInt8](repeating: 0x62, count: 20)
      for special in [Array(#"\n"#.utf8), Array("é".utf8), [0x20], [0x7F], [0x21], [0x23], [0x5D]] {
        let content = plain + special + rest
        let expected = String(decoding: content, as: UTF8.self)
          .replacing("\\n", with: "\n")
        #expect(try read([0x22] + content + [0x22]) == expected)
      }
      #expect(throws: JSONError(.controlCharacter, at: offset + 1)) {
        try read([0x22] + plain + [0x1F] + rest + [0x22])
      }
      #expect(throws: JSONError(.invalidUTF8, at: offset + 1)) {
        try read([0x22] + plain + [0xFF] + rest + [0x22])
      }
      #expect(throws: JSONError(.unexpectedEnd, at: offset + 1)) { try read([0x22] + plain) }
    }
  }

  @Test("All sequences of one, two and three bytes are UTF-8 here where they are to Swift")
  func shortSequences() {
    let edges: [UInt8] = [
      0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var sequences: [[UInt8]] = (0...255).filter { $0 >= 0x80 }.map { [$0] }
    for first in edges {
      for second in 0x80...255 as ClosedRange<UInt8> { sequences.append([first, second]) }
      for second in edges {
        for third in edges {
          sequences.append([first, second, third])
          sequences.append([first, second, third, 0xBF])
          sequences.append([first, second, 0x80, third])
        }
      }
    }
    let wrong = sequences.filter { sequence in
      let isValid = String(validating: sequence, as: UTF8.self) != nil
      let isRead = (try? read([0x22] + sequence + [0x22])) != nil
      return isRead != isValid
        || sequence.withUnsafeBufferPointer { UTF8Check.isValid($0) } != isValid
    }
    #expect(wrong.isEmpty)
  }

  @Test("Names are matched by their content, escaped or not")
  func matching() throws {
    func matches(_ text: String, _ name: StaticString) throws -> Bool {
      try Array(text.utf8).scanned { scanner throws(JSONError) in
        scanner.matches(try scanner.scanString(), name)
      }
    }
    for name in ["", "a", "ab", "abc", "abcd", "abcde", "operation"] {
      #expect(try matches("\"\(name)\"", "operation") == (name == "operation"))
      #expect(try matches("\"\(name)\"", "abcd") == (name == "abcd"))
      #expect(try matches("\"\(name)\"", "") == name.isEmpty)
    }
    #expect(try matches(#""oper\u0061tion""#, "operation"))
    #expect(try !matches(#""operatioN""#, "operation"))
    #expect(try !matches(#""Operation""#, "operation"))
  }
}
