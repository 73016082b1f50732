import PoolWire
import Testing

/// The scanner takes what RFC 8259 takes, gives what was asked for, and says where it stopped.
@Suite("JSON scanner")
struct JSONScannerTests {
  /// Skips one value that must be the whole text.
  private func check(_ text: String) throws(JSONError) {
    try Array(text.utf8).scanned { scanner throws(JSONError) in
      _ = try scanner.skipValue()
      try scanner.expectEnd()
    }
  }

  private func integer<Number: FixedWidthInteger>(
    _ text: String,
    as type: Number.Type
  ) throws(JSONError) -> Number {
    try Array(text.utf8).scanned { scanner throws(JSONError) in
      let value = try scanner.integer(type)
      try scanner.expectEnd()
      return value
    }
  }

  @Test(
    "Numbers as the grammar has them",
    arguments: ["0", "-0", "7", "-12", "0.5", "1e3", "1E+3", "1.25e-30", "-0.0", "1e999"]
  )
  func numbers(text: String) throws { try check(text) }

  @Test(
    "Numbers as the grammar does not have them",
    arguments: ["-", "01", "-01", "1.", ".5", "1e", "1e+", "+1", "1.e3", "0x10", "NaN", "1_0"]
  )
  func malformedNumbers(text: String) {
    #expect(throws: JSONError.self) { try check(text) }
  }

  @Test("Integers at the ends of their types")
  func integerRanges() throws {
    #expect(try integer("127", as: Int8.self) == 127)
    #expect(try integer("-128", as: Int8.self) == -128)
    #expect(try integer("-9223372036854775808", as: Int64.self) == .min)
    #expect(try integer("18446744073709551615", as: UInt64.self) == .max)
    #expect(try integer("-0", as: UInt8.self) == 0)
    for (text, offset) in [("128", 0), ("-129", 0), (" 1000", 1)] {
      #expect(throws: JSONError(.numberOutOfRange, at: offset)) {
        try integer(text, as: Int8.self)
      }
    }
    #expect(throws: JSONError(.numberOutOfRange, at: 0)) { try integer("-1", as: UInt64.self) }
  }

  @Test(
    "An integer is written without fraction and exponent",
    arguments: ["1.0", "1e2", "01", "-"]
  )
  func notIntegers(text: String) {
    #expect(throws: JSONError(.invalidNumber, at: 0)) { try integer(text, as: Int.self) }
  }

  @Test(
    "Structure that is wrong is refused where it goes wrong",
    arguments: [
      ("", 0), ("  ", 2), ("{", 1), ("[", 1), ("[1", 2), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3),
      ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{1:1}", 1), ("]", 0),
      ("[}", 1), ("tru", 3), ("trux", 0), ("nulll", 4), ("1 1", 2), ("[1]]", 3), ("'a'", 0),
      ("{\"a\":1 \"b\":2}", 7), ("[1}", 2), ("{\"a\":1]", 6),
    ]
  )
  func brokenStructure(text: String, offset: Int) {
    #expect {
      try check(text)
    } throws: { error in
      (error as? JSONError)?.offset == offset
    }
  }

  @Test("Nesting is allowed to the limit and no deeper, in arrays, objects and both")
  func depth() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let levels = JSONScanner.depthLimit / (open.hasPrefix("[{") ? 2 : 1)
      let innermost = open == "[" ? "" : "0"
      func nested(_ count: Int) -> String {
        String(repeating: open, count: count) + innermost + String(repeating: close, count: count)
      }
      try check(nested(levels))
      #expect {
        try check(nested(levels + 1))
      } throws: { error in
        (error as? JSONError)?.reason == .tooDeep
      }
    }
  }

  @Test("A skipped value is exactly its text, without the white space around it")
  func skippedRange() throws {
    let text = Array(" \n{ \"a\" : [1, {}] }\t,".utf8)
    let range = try text.scanned { scanner throws(JSONError) in try scanner.skipValue() }
    #expect(String(decoding: text[range], as: UTF8.self) == "{ \"a\" : [1, {}] }")
  }

  @Test("Keys and elements come in order, as often as they are there")
  func iteration() throws {
    let seen = try Array("{\"a\":[1,2],\"b\":[],\"a\":[3]}".utf8).scanned {
      scanner throws(JSONError) in
      var seen: [String] = []
      var isFirst = true
      try scanner.beginObject()
      while let key = try scanner.nextKey(&isFirst) {
        seen.append(scanner.text(of: key))
        var isFirstElement = true
        try scanner.beginArray()
        while try scanner.hasElement(&isFirstElement) {
          seen.append(String(try scanner.integer(Int.self)))
        }
      }
      return seen
    }
    #expect(seen == ["a", "1", "2", "b", "a", "3"])
  }
}
