import PoolSystem
import Testing

@testable import PoolCommand
@testable import PoolInputs

@Suite("The buffer of a stream")
struct StreamBufferTests {
  /// A pipe that gives less than was asked for, each time.
  @Test("A record of many reads, longer than its block, is copied less than twice")
  func linear() throws {
    let pipe = try Descriptors.pipe()
    defer { for end in [pipe.read, pipe.write] { Descriptors.close(end) } }
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    var cutter = BlockCutter(.bytes(1_024), at: .lines)
    var buffer = StreamBuffer(of: pipe.read)
    defer { buffer.free() }
    for count in 1...1_000 {
      #expect(cutter.cut(buffer.bytes, isEnd: false) == nil)
      try SystemIO.writeAll(pipe.write, piece)
      while buffer.bytes.count < count * piece.count {
        try buffer.read(upTo: cutter.wanted(beyond: buffer.bytes.count))
      }
    }
    #expect(buffer.copiedCount < 2 * buffer.bytes.count)
  }
}
