import PoolCommand
import PoolSystem
import Testing

/// Contract: reading what a run begins with ends, whatever is read.
@Suite("Reading of inputs")
struct WholeInputTests {
  /// The writer stays, so that only the limit can end it.
  @Test("A manifest is read no further than to a line that is too long")
  func endlessLine() throws {
    let pipe = try Descriptors.pipe()
    defer { for end in [pipe.read, pipe.write] { Descriptors.close(end) } }
    let text = Array("{}\n".utf8) + [UInt8](repeating: 0x78, count: 1_001)
    try SystemIO.writeAll(pipe.write, text)
    #expect(try WholeInput.lines(pipe.read, lineLimit: 1_000) == text)
  }

  @Test("A manifest of long lines within the limit is read to its end")
  func longLines() throws {
    let pipe = try Descriptors.pipe()
    defer { Descriptors.close(pipe.read) }
    let text =
      [UInt8](repeating: 0x78, count: 1_000) + [0x0A] + [UInt8](repeating: 0x79, count: 900)
    try SystemIO.writeAll(pipe.write, text)
    Descriptors.close(pipe.write)
    #expect(try WholeInput.lines(pipe.read, lineLimit: 1_000) == text)
  }
}
