import Foundation
import PoolTestSupport
import Testing

@testable import PoolSystem

/// Contract: tokens are taken one by one, without waiting, and others' descriptors stay as they are.
@Suite("Token pipes")
struct TokenPipeTests {
  @Test("what was given comes back, and an empty pipe has none")
  func tokens() throws {
    let pipe = try TokenPipe(holding: Array("ab".utf8))
    #expect(try pipe.take() == UInt8(ascii: "a"))
    #expect(try pipe.take() == UInt8(ascii: "b"))
    if !pipe.mayBlock { #expect(try pipe.take() == nil) }
    pipe.give([200, 0])
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
      pipe.give([5])
      #expect(try pipe.take() == 5)
      #expect([ends.read, ends.write].map { fcntl($0, F_GETFL) } == flags)
    }
    #expect(Descriptors.isOpen(ends.read) && Descriptors.isOpen(ends.write))
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
    pipe.give([9])
    #expect(try pipe.take() == 9)
    try folder.write("text", to: "file")
    #expect(throws: SystemFailure.self) {
      _ = try TokenPipe(fifo: Array(folder.path(of: "file").utf8))
    }
  }
}
