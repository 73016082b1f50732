import PoolSystem
import Testing

/// What many threads hand to one.
@Suite("A mailbox")
struct MailboxTests {
  @Test("nothing is lost or doubled, and what one thread puts there stays in order")
  func order() throws {
    let mailbox = Mailbox<(thread: Int, number: Int)>()
    let threads = try (0..<4).map { thread in
      try SystemThread.start(name: "test-sender", mask: .full) {
        for number in 0..<1_000 { mailbox.put((thread, number)) }
      }
    }
    var next = [0, 0, 0, 0]
    while next.contains(where: { $0 < 1_000 }) {
      for letter in mailbox.takeAll() {
        #expect(next[letter.thread] == letter.number)
        next[letter.thread] += 1
      }
    }
    for thread in threads { thread.join() }
  }

  @Test("what is not taken is let go with it")
  func leftovers() {
    weak var left: Letter?
    do {
      let mailbox = Mailbox<Letter>()
      let letter = Letter()
      left = letter
      for _ in 0..<3 { mailbox.put(letter) }
      #expect(left != nil)
    }
    #expect(left == nil)
  }

  private final class Letter: Sendable {}
}
