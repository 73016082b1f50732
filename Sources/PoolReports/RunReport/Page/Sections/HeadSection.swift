import PoolAnalysis
import PoolEvents
import PoolText

/// What a reader sees first: what the run was, how it went, and what to change.
enum HeadSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.element("header") { writer in
      writer.markup("<p class=\"kicker\">opool report</p><h1>")
      writer.text(facts.options.fileName)
      writer.markup("</h1>")
      appendBadge(facts.history, to: &writer)
      writer.element("div class=\"verdict\"") { writer in
        for sentence in ReportWording.verdict(facts.analysis) { writer.element("p", sentence) }
      }
      appendFacts(facts, to: &writer)
      appendAdvice(facts, to: &writer)
    }
  }

  private static func appendBadge(_ history: RunHistory, to writer: inout PageWriter) {
    let isGood = history.exitCode == 0
    writer.markup(isGood ? "<p class=\"badge good\">" : "<p class=\"badge bad\">")
    writer.text(history.exitCode.map { "exit code \($0)" } ?? "no exit code")
    writer.markup("</p>")
  }

  private static func appendFacts(_ facts: PageFacts, to writer: inout PageWriter) {
    guard let began = facts.history.began else { return }
    writer.element("dl class=\"facts\"") { writer in
      fact("host", began.host, to: &writer)
      fact("cores", began.cores.map { Array(String($0).utf8) }, to: &writer)
      fact("memory", began.memory.map { Array(memory($0).utf8) }, to: &writer)
      fact("opool", began.version.map { Array($0.utf8) }, to: &writer)
      let date = DateFormat.utc(began.start)
      fact("started", Array(date.utf8), to: &writer)
      guard !facts.options.omissions.contains(.commands) else { return }
      fact("folder", began.folder, to: &writer)
      guard let arguments = began.arguments else { return }
      writer.markup("<div class=\"wide\"><dt>command line</dt><dd><code>")
      writer.text(commandLine(arguments), limit: 1_000)
      writer.markup("</code></dd></div>")
    }
  }

  private static func fact(_ name: String, _ value: [UInt8]?, to writer: inout PageWriter) {
    guard let value else { return }
    writer.element("div") { writer in
      writer.element("dt", name)
      writer.element("dd") { $0.text(value, limit: 200) }
    }
  }

  private static func commandLine(_ arguments: [[UInt8]]) -> [UInt8] {
    ShellQuoting.line([Array("opool".utf8)] + arguments)
  }

  private static func memory(_ bytes: Int64) -> String {
    let tenths = bytes * 10 / (1 << 30)
    return "\(tenths / 10).\(tenths % 10) GiB"
  }

  private static func appendAdvice(_ facts: PageFacts, to writer: inout PageWriter) {
    let advice = facts.analysis.advice.prefix(adviceLimit)
    writer.element("h2 id=\"advice\"", "What to change")
    guard let most = advice.first?.saved, most > 0 else {
      writer.element(
        "p class=\"note\"",
        "No change was found that would have made the run shorter."
      )
      return
    }
    writer.element("ol class=\"advice\"") { writer in
      for advice in advice {
        writer.element("li") { append(advice, most, facts, to: &$0) }
      }
    }
  }

  private static func append(
    _ advice: Advice,
    _ most: Int64,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    writer.markup("<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\"")
    writer.markup(" aria-hidden=\"true\"><rect class=\"f-good\" height=\"10\"")
    writer.attribute("width", Double(advice.saved) * 100 / Double(most))
    writer.markup("/></svg><span><b>")
    writer.text("\(ReportWording.duration(advice.saved)) less")
    writer.markup("</b> ")
    let change = ReportWording.change(advice.change, in: facts.history)
    writer.text("\(change): \(ReportWording.duration(advice.elapsed)) in all")
    writer.markup("</span>")
  }

  private static let adviceLimit = 8
}
