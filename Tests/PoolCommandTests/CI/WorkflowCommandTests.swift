import PoolTestSupport
import Testing

@testable import PoolReports

/// Contract: what a command to GitHub's runner says is what the runner reads.
@Suite("Commands to GitHub's runner")
struct WorkflowCommandTests {
  /// What the runner makes of a value: its replacements, in its order.
  private func read(_ text: some StringProtocol, isProperty: Bool) -> String {
    var marks = [("%0D", "\r"), ("%0A", "\n")]
    if isProperty { marks += [("%3A", ":"), ("%2C", ",")] }
    marks.append(("%25", "%"))
    return marks.reduce(String(text)) { text, mark in
      String(text.split(separator: mark.0, omittingEmptySubsequences: false).joined(by: mark.1))
    }
  }

  @Test("have their properties and their message")
  func text() {
    #expect(WorkflowCommand.group("a: b, 5%").text == "::group::a: b, 5%25")
    #expect(WorkflowCommand.endGroup.line == Array("::endgroup::\n".utf8))
    let error = WorkflowCommand.error("b\nc", [.init("file", "a:b,c"), .init("line", "3")])
    #expect(error.text == "::error file=a%3Ab%2Cc,line=3::b%0Ac")
  }

  @Test("can be read, whatever they say", arguments: RandomSeeds.first(500))
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = ["%", "%0A", "%25", ":", "::", ",", "=", "\r", "\n", "a", " ", "é", "0D", "25"]
    func text() -> String {
      "x"
        + (0..<Int.random(in: 0..<9, using: &random))
        .map { _ in parts.randomElement(using: &random)! }.joined()
    }
    let (title, message) = (text(), text())
    let line = WorkflowCommand.error(message, [.init("title", title)]).text
    #expect(!line.contains { $0.isNewline }, "seed \(seed)")
    let start = "::error title="
    #expect(line.hasPrefix(start))
    let end = try #require(line.dropFirst(start.count).firstRange(of: "::"))
    let property = line[line.index(line.startIndex, offsetBy: start.count)..<end.lowerBound]
    #expect(!property.contains(","), "seed \(seed)")
    #expect(read(property, isProperty: true) == title, "seed \(seed)")
    #expect(read(line[end.upperBound...], isProperty: false) == message, "seed \(seed)")
  }

  @Test("name a file from the repository's folder, if it is in that")
  func places() {
    func path(_ file: String, _ folder: String?) -> String {
      let places = GitHubPlaces(workspace: Array("/repo".utf8))
      let path = places.path(of: Array(file.utf8), in: folder.map { Array($0.utf8) })
      return String(decoding: path, as: UTF8.self)
    }
    #expect(path("m", "/repo/ci") == "ci/m")
    #expect(path("m", "/repo") == "m")
    #expect(path("/repo/x/m", "/") == "x/m")
    #expect(path("m", "/repository") == "m")
    #expect(path("/tmp/m", "/repo") == "/tmp/m")
    #expect(path("m", nil) == "m")
    #expect(GitHubPlaces().path(of: [0x6D], in: [0x2F]) == [0x6D])
  }
}

extension Sequence where Element: StringProtocol {
  fileprivate func joined(by separator: String) -> String {
    map { String($0) }.joined(separator: separator)
  }
}
