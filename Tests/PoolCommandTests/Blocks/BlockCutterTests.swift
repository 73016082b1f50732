import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: blocks end between records, a stream and a file are cut at the same places, and no
/// byte is lost or doubled.
@Suite("Cutting into blocks")
struct BlockCutterTests {
  /// The blocks of a stream that arrives in pieces of a size.
  private func blocks(
    _ text: String,
    _ rule: BlockCutter.Rule,
    at boundary: RecordBoundary = .lines,
    piece: Int = .max
  ) -> [String] {
    let bytes = Array(text.utf8)
    var cutter = BlockCutter(rule, at: boundary)
    var (blocks, start, arrived): ([String], Int, Int) = ([], 0, 0)
    while true {
      let isEnd = arrived == bytes.count
      let length = bytes[start..<arrived].withUnsafeBytes { cutter.cut($0, isEnd: isEnd) }
      if let length {
        guard length > 0 else { return blocks }
        blocks.append(String(decoding: bytes[start..<start + length], as: UTF8.self))
        start += length
      } else {
        arrived = piece < bytes.count - arrived ? arrived + piece : bytes.count
      }
    }
  }

  /// The blocks of a file with the same text.
  private func parts(
    _ text: String,
    _ size: Int64,
    at boundary: RecordBoundary = .lines,
    isGrid: Bool = false
  ) throws -> [String] {
    let bytes = Array(text.utf8)
    let file = try TemporaryFile.open(holding: bytes)
    defer { Descriptors.close(file) }
    let cutter = FileCutter(
      file: file,
      size: size,
      boundary: boundary,
      origin: 0,
      isGrid: isGrid
    )
    var (blocks, start): ([String], Int64) = ([], 0)
    while let end = try cutter.end(from: start) {
      blocks.append(String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self))
      start = end
    }
    return blocks
  }

  @Test("A block is read for its digests until that is not wanted any more, and once")
  func digests() throws {
    let bytes = [UInt8](repeating: 1, count: 3 << 20)
    let file = try TemporaryFile.open(holding: bytes)
    defer { Descriptors.close(file) }
    let blocks = BlockList(of: file)
    let block = blocks.append(end: Int64(bytes.count))
    var asked = 0
    let isRead = blocks.digest(block) {
      asked += 1
      return asked < 3
    }
    #expect(!isRead)
    #expect(asked == 3)
    #expect(blocks.digest(block, while: { true }))
    let digests = blocks.digests(of: block)
    #expect(digests.count == 3)
    // Read before: the file's end does not matter any more.
    try DurableFile.cut(file, to: 0)
    #expect(blocks.digests(of: block) == digests)
  }

  @Test(
    "A block has as many whole records as fit, at least one, and the rest of the input",
    arguments: [
      ("", 4, []), ("a", 4, ["a"]), ("\n", 1, ["\n"]), ("a\nb\nc\n", 4, ["a\nb\n", "c\n"]),
      ("a\nb\ncd", 5, ["a\nb\n", "cd"]), ("a\nb\nc", 5, ["a\nb\nc"]),
      ("aaaaaaaa\nb\n", 4, ["aaaaaaaa\n", "b\n"]), ("aaaaaaaa", 4, ["aaaaaaaa"]),
      ("a\r\nb\r\n", 3, ["a\r\n", "b\r\n"]), ("\u{FEFF}a\n\0b\n", 5, ["\u{FEFF}a\n", "\0b\n"]),
      ("\n\n\n", 1, ["\n", "\n", "\n"]), ("ab\ncd\n", 3, ["ab\n", "cd\n"]),
    ]
  )
  func bySize(_ text: String, _ size: Int, _ expected: [String]) throws {
    #expect(blocks(text, .bytes(size)) == expected)
    #expect(blocks(text, .bytes(size), piece: 1) == expected)
    #expect(try parts(text, Int64(size)) == expected)
  }

  @Test(
    "Records are bounded by their end, their start, or both",
    arguments: [
      ("a;;b;;c", ";;", "", 4, ["a;;", "b;;c"]), ("a;b;;c", ";;", "", 3, ["a;b;;", "c"]),
      (">a\nx\n>b\n", "", ">", 6, [">a\nx\n", ">b\n"]), (">>>", "", ">", 1, [">", ">", ">"]),
      ("a\n>b\n>c", "\n", ">", 4, ["a\n", ">b\n", ">c"]),
      ("a>\nb\n>c", "\n", ">", 3, ["a>\nb\n", ">c"]), ("abcdefg", "", "", 3, ["abc", "def", "g"]),
    ]
  )
  func byBoundary(
    _ text: String,
    _ end: String,
    _ start: String,
    _ size: Int,
    _ expected: [String]
  ) throws {
    let boundary = RecordBoundary(end: Array(end.utf8), start: Array(start.utf8))
    #expect(blocks(text, .bytes(size), at: boundary) == expected)
    #expect(blocks(text, .bytes(size), at: boundary, piece: 1) == expected)
    #expect(try parts(text, Int64(size), at: boundary) == expected)
  }

  @Test("A block of records has exactly so many, except the last one", arguments: [1, 3, 100])
  func byCount(piece: Int) {
    let text = "1\n2\n\n4\n5"
    #expect(blocks(text, .records(1), piece: piece) == ["1\n", "2\n", "\n", "4\n", "5"])
    #expect(blocks(text, .records(2), piece: piece) == ["1\n2\n", "\n4\n", "5"])
    #expect(blocks(text, .records(9), piece: piece) == [text])
    let starts = RecordBoundary(end: [], start: [UInt8(ascii: ">")])
    #expect(blocks(">a>b>c", .records(2), at: starts, piece: piece) == [">a>b", ">c"])
    let halves = RecordBoundary(end: Array(";;".utf8))
    #expect(
      blocks("a;;;;b;;;", .records(1), at: halves, piece: piece) == ["a;;", ";;", "b;;", ";"]
    )
  }

  @Test("Parts of a file end at the first boundaries from multiples of their size on")
  func grid() throws {
    #expect(try parts("aaaaa\nb\nc\nd\n", 4, isGrid: true) == ["aaaaa\n", "b\n", "c\nd\n"])
    #expect(try parts("ab\ncd\nef\n", 3, isGrid: true) == ["ab\n", "cd\n", "ef\n"])
    #expect(try parts("aaaaaaaaaaaaaaa\nb\n", 2, isGrid: true) == ["aaaaaaaaaaaaaaa\n", "b\n"])
    #expect(try parts("", 2, isGrid: true) == [])
  }

  /// Records longer and shorter than what is read of the file at once.
  @Test("Random texts are cut at the same places as a stream and as a file")
  func random() throws {
    for seed in RandomSeeds.first(40) {
      var random = SeededGenerator(seed: seed)
      let rarity = Int.random(in: 0...3_000, using: &random)
      let alphabet = Array(";>\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: rarity)
      let bytes = (0..<Int.random(in: 0...90_000, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let ends = ["\n", ";>", "", "\n;"].randomElement(using: &random) ?? ""
      let starts = ["", ">", "x>"].randomElement(using: &random) ?? ""
      let boundary = RecordBoundary(end: Array(ends.utf8), start: Array(starts.utf8))
      let size = Int.random(in: 900...70_000, using: &random)
      let piece = Int.random(in: 1_000...40_000, using: &random)
      let cut = blocks(text, .bytes(size), at: boundary, piece: piece)
      #expect(cut.joined() == text, "seed \(seed)")
      #expect(try parts(text, Int64(size), at: boundary) == cut, "seed \(seed)")
      #expect(try parts(text, Int64(size), at: boundary, isGrid: true).joined() == text)
    }
  }
}
