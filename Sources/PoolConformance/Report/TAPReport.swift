import PoolModel

/// Results in the format of the Test Anything Protocol, version 14.
package enum TAPReport {
  /// What comes before the first result.
  package static func header(count: Int) -> String { "TAP version 14\n1..\(count)\n" }

  /// What ends the report early.
  package static func bailOut(_ reason: String) -> String {
    "Bail out! \(Printable.text(reason))\n"
  }

  /// The line of a result; with the reason below it, if the case has failed.
  package static func lines(_ result: CaseResult, number: Int) -> String {
    let (title, name) = (result.test.title, result.test.name)
    let line = "ok \(number) - \(name): \(title)"
    return switch result.verdict {
    case .passed: line + "\n"
    case .skipped(let reason): line + " # SKIP \(reason)\n"
    case .failed(let failure): "not " + line + "\n" + block(result.test, failure)
    }
  }

  /// The block of YAML that says why; texts are quoted as in JSON, which YAML understands.
  private static func block(_ test: ConformanceCase, _ failure: Conversation.Failure) -> String {
    var lines = ["---", "message: " + quoted(failure.message)]
    if let frame = failure.frame { lines.append("frame: " + quoted(frame.description)) }
    lines.append("section: " + quoted("Protocol/README.md, §\(test.section)"))
    lines.append("paragraph: " + quoted(test.paragraph))
    lines += list("conversation", failure.frames.map(\.description))
    lines += list("stderr", failure.standardError)
    return (lines + ["..."]).map { "  \($0)\n" }.joined()
  }

  private static func list(_ name: String, _ texts: [String]) -> [String] {
    texts.isEmpty ? [] : ["\(name):"] + texts.map { "  - " + quoted($0) }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONNode.string(text).json, as: UTF8.self)
  }
}
