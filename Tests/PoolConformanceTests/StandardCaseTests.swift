import Foundation
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolConformance

/// Contract: the cases in the program are those of `Protocol/conformance`, and quote the protocol.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter StandardCaseTests` writes the program's copy anew.
@Suite("Standard cases", .serialized)
struct StandardCaseTests {
  private static let copy = Repository.root.appending(
    path: "Sources/PoolConformance/Cases/CaseTexts.swift"
  )

  private static func texts() throws -> [(name: String, text: String)] {
    let folder = Repository.root.appending(path: "Protocol/conformance")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return (String(name.prefix { $0 != "." }), text)
    }
  }

  /// The source of the copy.
  private static func source(_ texts: [(name: String, text: String)]) -> String {
    let entries = texts.map { name, text in
      let lines = text.split(separator: "\n").map { "      \($0)\n" }.joined()
      return "    (\n      \"\(name)\",\n      #\"\"\"\n\(lines)\n      \"\"\"#\n    ),\n"
    }
    return """
      /// The cases of `Protocol/conformance`, so that the program needs no folder.
      ///
      /// `RECORD_SNAPSHOTS=1 swift test --filter StandardCaseTests` writes this file anew.
      enum CaseTexts {
        /// The name and the text of each file, in the order of the names.
        static let all: [(name: String, json: String)] = [

      """ + entries.joined() + "  ]\n}\n"
  }

  @Test("The program has the files of the folder")
  func copy() throws {
    let texts = try Self.texts()
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(Self.source(texts).utf8).write(to: Self.copy)
    }
    #expect(try String(contentsOf: Self.copy, encoding: .utf8) == Self.source(texts))
    #expect(CaseTexts.all.map(\.name) == texts.map(\.name))
    #expect(CaseTexts.all.map(\.json) == texts.map(\.text))
  }

  @Test("Each case is well-formed, and quotes the section that it names")
  func quotations() throws {
    let readme = Repository.root.appending(path: "Protocol/README.md")
    let sections = Self.sections(try String(contentsOf: readme, encoding: .utf8))
    for test in try StandardCases.all() {
      let section = try #require(sections[test.section], "\(test.name)")
      #expect(section.contains(test.paragraph), "\(test.name): \(test.paragraph)")
      #expect(!test.title.contains { "#.\\".contains($0) } || test.title.contains("2^53"))
    }
  }

  /// The texts of the numbered sections, with single blanks.
  private static func sections(_ text: String) -> [String: String] {
    var (sections, number) = ([String: String](), "")
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { number = String(line.dropFirst(3).prefix { $0 != "." }) }
      sections[number, default: ""] += line.split(separator: " ").joined(separator: " ") + " "
    }
    return sections
  }

  @Test(
    "Every capability but the outbox and checksums has a case, and every rule is watched by at most one"
  )
  func completeness() throws {
    let cases = try StandardCases.all()
    let capabilities = Set(cases.flatMap(\.capabilities))
    #expect(Set(Capability.allCases).subtracting(capabilities) == [.outbox, .checksum])
    let rules = cases.compactMap { test in
      if case .watch(let rule) = test.content { rule } else { nil }
    }
    #expect(Set(rules).count == rules.count && rules.count == 10)
    #expect(cases.contains { $0.name == ConformanceRun.firstName })
  }

  @Test("Every message that is sent, but those of an unknown type, is one of the protocol")
  func messages() throws {
    let placeholders = Placeholders(kind: "k", works: [:])
    for test in try StandardCases.all() {
      guard case .steps(let steps) = test.content else { continue }
      for case .send(let outgoing) in steps.map(\.action) {
        guard case .messages(let messages) = outgoing.content else { continue }
        for message in messages {
          let body = placeholders.fill(message).json
          let decoded = try body.withUnsafeBufferPointer { bytes throws(Violation) in
            try CoordinatorMessage(scanning: UnsafeRawBufferPointer(bytes))
          }
          if case .unknown(let type) = decoded { #expect(type == "no such type", "\(test.name)") }
        }
      }
    }
  }

  @Test(
    "A file that is no case is refused with the reason",
    arguments: [
      ("{", "no JSON: "), (#"{"section":"1"}"#, "title: no text"),
      (#"{"title":"t","section":"1"}"#, "paragraph: no text"),
      (#"{"title":"t","section":"1","paragraph":"p"}"#, "a case has either steps or watches"),
      (whole(#""watches":"x""#), "watches: there is no rule 'x'"),
      (whole(#""needs":["x"],"steps":[]"#), "needs: there is no payload 'x'"),
      (whole(#""capabilities":["x"],"steps":[]"#), "capabilities: there is no capability 'x'"),
      (whole(#""steps":[{"closeInput":true},{"shout":1}]"#), "step 2: 'shout' is no verb"),
      (whole(#""steps":[{"expectExit":"soon"}]"#), "step 1: expectExit: 'soon' is neither"),
      (whole(#""steps":[{"sendHex":"0g"}]"#), "step 1: sendHex: no hexadecimal bytes"),
      (whole(#""steps":[{"expectAnswers":true,"within":"x"}]"#), "step 1: within: no number"),
      (whole(#""steps":[{"expect":{},"among":[1]}]"#), "step 1: among: not all are texts"),
      (whole(#""steps":[1]"#), "step 1: no object with a verb"),
    ]
  )
  func refusals(_ json: String, _ reason: String) {
    #expect {
      try ConformanceCase(name: "x", json: json.utf8)
    } throws: {
      "\($0)".hasPrefix(reason)
    }
  }

  private static func whole(_ fields: String) -> String {
    #"{"title":"t","section":"1","paragraph":"p",\#(fields)}"#
  }
}
