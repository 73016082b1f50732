import PoolModel
import Testing

/// Contract: no text of a message moves the cursor, and counts agree with their nouns.
@Suite("Text of messages")
struct PrintableTests {
  @Test("Control characters of a message are escaped, and its line feeds stay")
  func lines() {
    #expect(Printable.lines("a\u{1B}[31m\nb\r\u{7}\n") == "a\\x1B[31m\nb\\r\\x07\n")
    #expect(Printable.text("a\nb") == "a\\nb")
  }

  @Test(
    "One is singular, and everything else plural",
    arguments: [(0, "0 runs"), (1, "1 run"), (2, "2 runs")]
  )
  func plural(count: Int, text: String) {
    #expect(Plural.of(count, "run") == text)
  }
}
