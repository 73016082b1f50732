import PoolTestSupport
import Testing

@testable import PoolReports

/// What GitHub's runner finds in a line, as its source says: a command after `::` where nothing but
/// blanks are before it, or after `##[` anywhere.
enum RunnerParser {
  /// Commands of the runner, as far as tests use them.
  static let names: Set<String> = ["error", "group", "endgroup", "stop-commands", "add-mask"]

  /// The lines of a text as the runner reads them.
  static func lines(_ text: String) -> [String] {
    text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map {
      String(String.UnicodeScalarView($0))
    }
  }

  /// The command in a line; nil if there is none.
  ///
  /// The runner compares as languages do, which ignores some characters: here, all that could be.
  static func command(in line: String) -> String? {
    let kept = line.unicodeScalars.filter { (" "..."~").contains($0) }.map { Character($0) }
    let text = String(kept.drop { $0 == " " })
    if text.hasPrefix("::") {
      let rest = text.dropFirst(2)
      if let end = rest.firstRange(of: "::") {
        let name = rest[..<end.lowerBound].prefix { $0 != " " }.lowercased()
        if names.contains(name) { return name }
      }
    }
    guard let start = text.firstRange(of: "##[") else { return nil }
    let rest = text[start.upperBound...]
    guard rest.contains("]") else { return nil }
    let name = rest.prefix { $0 != "]" && $0 != " " }.lowercased()
    return names.contains(name) ? name : nil
  }
}

/// Contract: no text of others is a command to GitHub's runner, in whatever pieces it comes, and
/// text without commands stays as it is.
@Suite("Commands in text of others")
struct CommandBreakerTests {
  private func broken(_ pieces: [[UInt8]]) -> String {
    var breaker = CommandBreaker()
    let bytes = pieces.flatMap { piece in piece.withUnsafeBytes { breaker.broken($0) } }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "are broken by a space",
    arguments: [
      ("::error::x\n", ": :error::x\n"), ("  \t::error::x", "  \t: :error::x"),
      ("a\r::error::x", "a\r: :error::x"), ("a ##[add-mask]x", "a ## [add-mask]x"),
      ("###[group]x", "### [group]x"), ("\u{A0}::error::x", "\u{A0}: :error::x"),
      (":\u{200D}:error::x", ":\u{200D} :error::x"), ("#\u{0}#[error]x", "#\u{0}# [error]x"),
      ("\u{FEFF}::error::", "\u{FEFF}: :error::"), ("::::error::", ": :::error::"),
    ]
  )
  func commands(_ text: String, _ expected: String) {
    #expect(CommandBreaker.broken(text) == expected)
    #expect(broken(text.utf8.map { [$0] }) == expected)
  }

  @Test(
    "are not where the runner finds none",
    arguments: ["a::error::x\n", "std::vector\n", "# [x] ## title\n#[test]\n", ": :x\n", "é\n", ""]
  )
  func others(_ text: String) { #expect(CommandBreaker.broken(text) == text) }

  @Test("are found by the parser that these tests have")
  func parser() {
    #expect(RunnerParser.command(in: " ::error title=a::b") == "error")
    #expect(RunnerParser.command(in: "x ##[group]b") == "group")
    #expect(RunnerParser.command(in: "x ::error::b") == nil)
  }

  @Test("are in no random text any more", arguments: RandomSeeds.first(2_000))
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "::", ":", "error", "group", "##[", "#", "[", "]", " ", "\n", "\r", "\t", "\u{0}", "\u{200B}",
      "é", "x", "stop-commands", "::error::", "##[add-mask]", "\u{3000}",
    ]
    let text = (0..<Int.random(in: 0..<40, using: &random))
      .map { _ in parts.randomElement(using: &random)! }.joined()
    var pieces: [[UInt8]] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let broken = broken(pieces)
    for line in RunnerParser.lines(broken) {
      #expect(RunnerParser.command(in: line) == nil, "seed \(seed): \(line.debugDescription)")
    }
    // Nothing but spaces has come.
    #expect(broken.filter { $0 != " " } == text.filter { $0 != " " }, "seed \(seed)")
  }
}
