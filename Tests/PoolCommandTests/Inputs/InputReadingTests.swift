import PoolCommand
import PoolSystem
import Testing

/// Contract: reading what a run begins with ends, whatever is read.
@Suite("Reading of inputs")
struct InputReadingTests {
  /// The writer stays, so that only the limit can end it.
  @Test("A manifest is read no further than to a line that is too long")
  func endlessLine() throws {
    let pipe = try Descriptors.pipe()
    defer { for end in [pipe.read, pipe.write] { Descriptors.close(end) } }
    let text = Array("{}\n".utf8) + [UInt8](repeating: 0x78, count: 1_001)
    try SystemIO.writeAll(pipe.write, text)
    #expect(try InputReading.lines(pipe.read, lineLimit: 1_000) == text)
  }

  @Test("A manifest of long lines within the limit is read to its end")
  func longLines() throws {
    let pipe = try Descriptors.pipe()
    defer { Descriptors.close(pipe.read) }
    let text =
      [UInt8](repeating: 0x78, count: 1_000) + [0x0A] + [UInt8](repeating: 0x79, count: 900)
    try SystemIO.writeAll(pipe.write, text)
    Descriptors.close(pipe.write)
    #expect(try InputReading.lines(pipe.read, lineLimit: 1_000) == text)
  }

  @Test("A body that takes longer than the deadline is left alone; else its value is returned")
  func deadline() throws {
    let pipe = try Descriptors.pipe()
    defer { for end in [pipe.read, pipe.write] { Descriptors.close(end) } }
    let late = InputReading.beforeDeadline(MonotonicClock.now + 1_000_000) {
      var byte: UInt8 = 0
      return withUnsafeMutableBytes(of: &byte) { try? SystemIO.readWaiting(pipe.read, into: $0) }
    }
    #expect(late == nil)
    #expect(InputReading.beforeDeadline(MonotonicClock.now + 60_000_000_000) { 7 } == 7)
    #expect(InputReading.beforeDeadline(nil) { 7 } == 7)
    try SystemIO.writeAll(pipe.write, [0])
  }
}
