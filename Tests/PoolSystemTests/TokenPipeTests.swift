import Foundation
import PoolTestSupport
import Testing

@testable import PoolSystem

/// Contract: tokens are taken one by one, without waiting, and others' descriptors stay as they
/// are.
@Suite("Token pipes")
struct TokenPipeTests {
  @Test("what was given comes back, and an empty pipe has none")
  func tokens() throws {
    let pipe = try TokenPipe(holding: Array("ab".utf8))
    #expect(try pipe.take() == UInt8(ascii: "a"))
    #expect(try pipe.take() == UInt8(ascii: "b"))
    if !pipe.mayBlock { #expect(try pipe.take() == nil) }
    #expect(pipe.give([200, 0]).isEmpty)
    pipe.wait()
    #expect(try pipe.take() == 200)
    #expect(try pipe.take() == 0)
  }

  @Test("as many tokens as there can be operations fit, and none, too")
  func sizes() throws {
    let pipe = try TokenPipe(holding: [UInt8](repeating: 1, count: 9_999))
    let ends = try #require(pipe.ends)
    #expect(Descriptors.unreadByteCount(in: ends.read) == 9_999)
    #expect(try TokenPipe(holding: []).ends != nil)
  }

  @Test("inherited ends stay open, and others see no change of them")
  func inheritance() throws {
    let ends = try Descriptors.pipe()
    defer { for end in [ends.read, ends.write] { Descriptors.close(end) } }
    let flags = [ends.read, ends.write].map { fcntl($0, F_GETFL) }
    do {
      let pipe = TokenPipe(read: ends.read, write: ends.write)
      #expect(pipe.give([5]).isEmpty)
      #expect(try pipe.take() == 5)
      #expect([ends.read, ends.write].map { fcntl($0, F_GETFL) } == flags)
    }
    #expect(Descriptors.isOpen(ends.read) && Descriptors.isOpen(ends.write))
  }

  /// Number of bytes for which a new pipe has room.
  private func capacity() throws -> Int {
    let ends = try Descriptors.pipe()
    defer { for end in [ends.read, ends.write] { Descriptors.close(end) } }
    try Descriptors.setNonBlocking(ends.write)
    let (page, count) = ([UInt8](repeating: 1, count: 4_096), Monitor(0))
    while try page.withUnsafeBytes({ try SystemIO.write(ends.write, $0) }) == .bytes(page.count) {
      count.withLock { $0 += page.count }
    }
    return count.withLock { $0 }
  }

  @Test("a token without room comes back at once, and goes as soon as there is room")
  func fullPipe() throws {
    let ends = try Descriptors.pipe()
    defer { for end in [ends.read, ends.write] { Descriptors.close(end) } }
    let count = try capacity()
    try SystemIO.writeAll(ends.write, [UInt8](repeating: 1, count: count - 1))
    let flags = fcntl(ends.write, F_GETFL)
    let pipe = TokenPipe(read: ends.read, write: ends.write)
    // With one slot of the pipe left in part, there is room for one byte.
    #expect(Array(pipe.give([7, 8])) == [8])
    #expect(Array(pipe.give([8, 9])) == [8, 9])
    #expect(!pipe.waitForRoom(until: MonotonicClock.now + 1_000_000))
    #expect(!pipe.waitForRoom(until: MonotonicClock.now - 1))
    #expect(fcntl(ends.write, F_GETFL) == flags)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    #expect(try SystemIO.readWaiting(ends.read, into: buffer) == count)
    #expect(pipe.waitForRoom(until: MonotonicClock.now + 60_000_000_000))
    #expect(pipe.give([8, 9]).isEmpty)
    #expect(try pipe.take() == 8)
    #expect(try pipe.take() == 9)
  }

  @Test("children inherit the ends of a pipe that is made, and those of no other")
  func closeOnExec() throws {
    let pipe = try TokenPipe(holding: [1])
    let ends = try #require(pipe.ends)
    #expect([ends.read, ends.write].allSatisfy { fcntl($0, F_GETFD) == 0 })
  }

  @Test("a FIFO is opened without another process, and another file is refused")
  func fifo() throws {
    let folder = try TestFolder()
    let path = folder.path(of: "fifo")
    #expect(mkfifo(path, 0o600) == 0)
    let pipe = try TokenPipe(fifo: Array(path.utf8))
    #expect(pipe.ends == nil)
    #expect(try pipe.take() == nil)
    #expect(pipe.give([9]).isEmpty)
    #expect(try pipe.take() == 9)
    try folder.write("text", to: "file")
    #expect(throws: SystemFailure.self) {
      _ = try TokenPipe(fifo: Array(folder.path(of: "file").utf8))
    }
  }
}
