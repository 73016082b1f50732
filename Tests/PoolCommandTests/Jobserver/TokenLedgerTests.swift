import PoolTestSupport
import Testing

@testable import PoolCommand

/// Contract: no token is held that nothing uses, and each is given back as it was read.
@Suite("Tokens")
struct TokenLedgerTests {
  @Test("the first slot needs no token, each further one needs one")
  func own() {
    var ledger = TokenLedger()
    #expect(ledger.covers(0))
    #expect(!ledger.covers(1))
    #expect(ledger.note(0, isWaiting: true).isEmpty)
    #expect(!ledger.wantsToken)
    #expect(ledger.note(1, isWaiting: false).isEmpty)
    #expect(!ledger.wantsToken)
    #expect(ledger.note(1, isWaiting: true).isEmpty)
    #expect(ledger.wantsToken)
    #expect(ledger.take(7).isEmpty)
    #expect(!ledger.wantsToken)
    #expect(ledger.covers(1))
    #expect(!ledger.covers(2))
  }

  @Test("a token is given back when its slot is free, and when nothing waits for it any more")
  func surplus() {
    var ledger = TokenLedger()
    _ = ledger.note(1, isWaiting: true)
    _ = ledger.take(7)
    #expect(ledger.note(1, isWaiting: true).isEmpty)
    #expect(ledger.note(2, isWaiting: false).isEmpty)
    #expect(ledger.note(1, isWaiting: false) == [7])
    _ = ledger.note(1, isWaiting: true)
    #expect(ledger.note(1, isWaiting: false).isEmpty)
    #expect(ledger.take(8) == [8])
    #expect(ledger.held.isEmpty)
  }

  @Test("an operation of several slots takes further tokens as they come")
  func wide() {
    var ledger = TokenLedger()
    for token in UInt8(1)...2 {
      #expect(ledger.note(3, isWaiting: false).isEmpty)
      #expect(ledger.wantsToken)
      #expect(ledger.take(token).isEmpty)
    }
    #expect(ledger.note(3, isWaiting: false).isEmpty)
    #expect(!ledger.wantsToken)
  }

  @Test("a token that the pipe had no room for is held, may be used, and is given back later")
  func noRoom() {
    var ledger = TokenLedger()
    _ = ledger.note(1, isWaiting: true)
    _ = ledger.take(7)
    #expect(ledger.note(1, isWaiting: false) == [7])
    ledger.keep([7])
    #expect(ledger.covers(1))
    #expect(ledger.note(1, isWaiting: true).isEmpty)
    #expect(!ledger.wantsToken)
    #expect(ledger.note(1, isWaiting: false) == [7])
    ledger.keep([7])
    #expect(ledger.close() == [7])
    ledger.keep([7])
    #expect(ledger.close() == [7])
    #expect(ledger.close().isEmpty)
  }

  @Test("after the end nothing is kept")
  func end() {
    var ledger = TokenLedger()
    _ = ledger.note(3, isWaiting: false)
    _ = ledger.take(7)
    #expect(ledger.close() == [7])
    #expect(ledger.close().isEmpty)
    #expect(ledger.take(8) == [8])
    #expect(ledger.note(5, isWaiting: true).isEmpty)
    #expect(!ledger.wantsToken)
  }

  @Test("whatever happens, each token is held or was given back once", arguments: 0..<200)
  func anything(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var ledger = TokenLedger()
    var pipe = (0..<UInt8(20)).map { $0 }
    for _ in 0..<300 {
      if ledger.wantsToken, Bool.random(using: &generator), let token = pipe.popLast() {
        pipe += ledger.take(token)
      } else {
        let slots = Int.random(in: 0...8, using: &generator)
        let isWaiting = Bool.random(using: &generator)
        pipe += ledger.note(slots, isWaiting: isWaiting)
        #expect(ledger.held.count <= max(slots - 1, 0) + (isWaiting && slots > 0 ? 1 : 0))
      }
      #expect((pipe + ledger.held).sorted() == Array(0..<20), "seed \(seed)")
    }
    pipe += ledger.close()
    #expect(pipe.sorted() == Array(0..<20), "seed \(seed)")
  }
}
