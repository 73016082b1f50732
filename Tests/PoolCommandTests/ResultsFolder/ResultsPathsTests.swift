import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: each operation has a folder of its own, also where a file system takes names for one.
@Suite("Folders of results")
struct ResultsPathsTests {
  private static let ids = ["README", "readme", "e\u{301}", "\u{E9}", "a"]

  /// The folders of operations with ``ids``.
  private func names(_ folding: NameFolding) throws -> [String] {
    let lines = Self.ids.map { #"{"id":"\#($0)","run":["true"]}"# }.joined(separator: "\n")
    let manifest = try Manifest(bytes(lines))
    var paths = ResultsPaths(folding)
    paths.add(0..<manifest.count, of: manifest)
    return (0..<manifest.count).map { operation in
      paths.names(of: operation, in: manifest)
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
  }

  /// Strings that differ in normalization are equal, and their bytes are not.
  private func expect(_ names: [String], _ expected: [String]) {
    #expect(names.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test("are the names where the file system tells them apart")
  func distinct() throws {
    expect(try names(NameFolding()), Self.ids)
  }

  @Test("have the number of the later operation where the file system ignores what differs")
  func united() throws {
    let (large, small) = ("readme\\#2", "\u{E9}\\#4")
    expect(
      try names(NameFolding(ignoresCase: true)),
      ["README", large, "e\u{301}", "\u{E9}", "a"]
    )
    expect(
      try names(NameFolding(ignoresNormalization: true)),
      ["README", "readme", "e\u{301}", small, "a"]
    )
    expect(
      try names(NameFolding(ignoresCase: true, ignoresNormalization: true)),
      ["README", large, "e\u{301}", small, "a"]
    )
  }

  @Test("tell apart only what differs in more than case and normalization")
  func hashes() {
    let folding = NameFolding(ignoresCase: true, ignoresNormalization: true)
    func hash(_ names: String...) -> Int { folding.hash(of: names.map { bytes($0) }) }
    #expect(hash("Straße") == hash("STRASSE") && hash("\u{212A}") == hash("k"))
    #expect(hash("É") == hash("e\u{301}") && hash("a", "B") == hash("A", "b"))
    #expect(hash("a", "b") != hash("ab") && hash("a") != hash("b"))
  }
}
