import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: the options for blocks become a size, a count of records and a boundary, or an error
/// that says which of them exclude each other.
@Suite("Arguments for blocks")
struct BlockArgumentTests {
  private func blocks(_ line: String) throws -> BlockOptions? {
    guard case .map(let options) = try Invocation(arguments: arguments("map \(line) cat")) else {
      return nil
    }
    return options.blocks
  }

  @Test("Without --pipe there are none, and with it there are defaults")
  func defaults() throws {
    #expect(try blocks("-k") == nil)
    #expect(try blocks("--pipe") == BlockOptions())
    let options = BlockOptions()
    #expect(options.size == .bytes(1 << 20))
    #expect(options.boundary == .lines)
    #expect(options.recordCount == nil)
    #expect(try blocks("--pipepart")?.areParts == true)
  }

  @Test(
    "A size has a unit of 1024 or 1000, or counts blocks for each slot",
    arguments: [
      ("1", .bytes(1)), ("64K", .bytes(64 << 10)), ("10M", .bytes(10 << 20)),
      ("2G", .bytes(2 << 30)),
      ("1T", .bytes(1 << 40)), ("1P", .bytes(1 << 50)), ("3k", .bytes(3_000)),
      ("3m", .bytes(3_000_000)), ("3g", .bytes(3_000_000_000)), ("1.5K", .bytes(1_536)),
      ("1p", .bytes(1_000_000_000_000_000)), ("-1", .share(1)), ("-10000", .share(10_000)),
    ] as [(String, BlockOptions.Size)]
  )
  func sizes(_ text: String, _ size: BlockOptions.Size) throws {
    #expect(try blocks("--pipepart --block \(text)")?.size == size)
  }

  @Test(
    "What is no size is refused",
    arguments: [
      "0", "0.5", "K", "-1K", "-10001", "1KB", "1 K", "1e400", "9999P", "x", "0x10", "-0",
    ]
  )
  func wrongSizes(text: String) throws {
    let words = ["map", "--pipepart", "--block", text, "cat"].map(bytes)
    #expect(throws: UsageError.self) { try Invocation(arguments: words) }
  }

  @Test(
    "Records end with a line feed, unless only their start is given",
    arguments: [
      ("", "\n", ""), ("--recend ;", ";", ""), ("--recstart >", "", ">"), ("--recend=", "", ""),
      ("--recend ; --recstart >", ";", ">"), ("-0", "\0", ""), ("-d ;", ";", ""),
      ("--recend \\r\\n\\t\\\\\\0", "\r\n\t\\\0", ""),
    ]
  )
  func boundaries(_ line: String, _ end: String, _ start: String) throws {
    let boundary = RecordBoundary(end: bytes(end), start: bytes(start))
    #expect(try blocks("--pipe \(line)")?.boundary == boundary)
  }

  @Test("A text is refused where an escape is unknown, or where it is too long")
  func wrongTexts() {
    for text in ["\\x", "\\", String(repeating: "x", count: 1_025)] {
      #expect(throws: UsageError.self) { try blocks("--pipe --recend \(text)") }
    }
  }

  @Test(
    "Options that mean nothing together are refused by name",
    arguments: [
      ("--recstart a", "--recstart is for blocks"), ("--recend a", "--recend is for blocks"),
      ("--pipe -n 2", "-n is for inputs, not for blocks"),
      ("--pipe -a f -a g", "blocks are of one source"),
      ("--pipepart -N 1", "-N counts records, which --pipepart does not read"),
      ("--pipe --block -1", "a number of blocks for each slot needs the size of a file"),
    ]
  )
  func conflicts(_ line: String, _ message: String) throws {
    let error = #expect(throws: UsageError.self) { try blocks(line) }
    #expect(error?.message == message)
  }
}
