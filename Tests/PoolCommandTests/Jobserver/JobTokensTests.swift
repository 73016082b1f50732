import PoolSystem
import Testing

@testable import PoolCommand

/// Contract: a pipe that something else has filled is never waited for, apart from a short time at
/// the end, and no token is lost that has room later.
@Suite("Tokens and a full pipe")
struct JobTokensTests {
  /// A pipe with the token `a`, which is taken.
  private func withToken(
    isServer: Bool = false,
    _ body: (JobTokens, Descriptors.PipeEnds) throws -> Void
  ) throws {
    let ends = try Descriptors.pipe()
    defer { for end in [ends.read, ends.write] { Descriptors.close(end) } }
    try SystemIO.writeAll(ends.write, [UInt8(ascii: "a")])
    let tokens = JobTokens(TokenPipe(read: ends.read, write: ends.write), isServer: isServer)
    let hasArrived = Monitor(false)
    try tokens.open {
      hasArrived.withLock { $0 = true }
      hasArrived.broadcast()
    }
    tokens.note(1, isWaiting: true)
    hasArrived.wait(while: { !$0 }, then: { _ in })
    try body(tokens, ends)
  }

  /// Fills the pipe, without waiting.
  private func fill(_ ends: Descriptors.PipeEnds) throws {
    try Descriptors.setNonBlocking(ends.write)
    let page = [UInt8](repeating: 0, count: 4_096)
    while case .bytes = try page.withUnsafeBytes({ try SystemIO.write(ends.write, $0) }) {}
    try Descriptors.setNonBlocking(ends.write, false)
  }

  private func empty(_ ends: Descriptors.PipeEnds) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Descriptors.unreadByteCount(in: ends.read))
    let count = try bytes.withUnsafeMutableBytes { try SystemIO.readWaiting(ends.read, into: $0) }
    return Array(bytes[..<count])
  }

  @Test("a token without room during the run is given back as soon as there is room")
  func during() throws {
    try withToken { tokens, ends in
      try fill(ends)
      tokens.note(1, isWaiting: false)
      #expect(tokens.covers(1))
      let filler = try empty(ends)
      #expect(Set(filler) == [0])
      tokens.note(1, isWaiting: false)
      #expect(!tokens.covers(1))
      let given = try empty(ends)
      #expect(given == [UInt8(ascii: "a")])
      tokens.close()
      #expect(tokens.warning == nil)
    }
  }

  @Test("a token that is being given back when the run ends is in the pipe after that")
  func atOnce() throws {
    for _ in 0..<300 {
      try withToken { tokens, ends in
        let thread = try SystemThread.start(name: "notes", mask: .full) {
          tokens.note(1, isWaiting: false)
        }
        tokens.close()
        #expect(Descriptors.unreadByteCount(in: ends.read) == 1)
        thread.join()
      }
    }
  }

  @Test("a token without room at the end is lost, with a warning")
  func atEnd() throws {
    try withToken { tokens, ends in
      try fill(ends)
      tokens.close()
      #expect(tokens.warning == "opool: warning: the jobserver lacks a token now: its pipe is full")
    }
  }

  @Test("the tokens of a jobserver that has ended are not missed")
  func server() throws {
    try withToken(isServer: true) { tokens, ends in
      try fill(ends)
      tokens.close()
      #expect(tokens.warning == nil)
    }
  }

  @Test("with room at the end there is no warning")
  func room() throws {
    try withToken { tokens, ends in
      tokens.close()
      #expect(tokens.warning == nil)
      let given = try empty(ends)
      #expect(given == [UInt8(ascii: "a")])
    }
  }
}
