import PoolAnalysis

/// Where the time of all slots went, as a bar and as numbers.
enum AccountSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let account = facts.analysis.account
    writer.section("account", "Where the time of the slots went") { writer in
      let total = ReportWording.duration(account.total)
      let elapsed = ReportWording.duration(facts.analysis.elapsed)
      let slots = account.width == 1 ? "1 slot" : "\(account.width) slots"
      writer.element("p class=\"note\"", "\(slots) × \(elapsed) = \(total) of slot time")
      guard account.total > 0 else { return }
      appendBar(account, to: &writer)
      writer.element("ul class=\"legend account\"") { writer in
        for part in ordered(account) { append(part, account, to: &writer) }
      }
    }
  }

  /// What was executed, and then what was idle, the largest part of each first.
  private static func ordered(_ account: SlotAccount) -> [SlotAccount.Part] {
    account.parts.filter { !$0.use.isIdle } + account.parts.filter(\.use.isIdle)
  }

  private static func appendBar(_ account: SlotAccount, to writer: inout PageWriter) {
    writer.markup("<svg class=\"account\" viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\"")
    writer.markup(" role=\"img\" aria-label=\"Shares of slot time, as in the list that follows\">")
    var start = 0.0
    for part in ordered(account) {
      let width = Double(part.time) * 1_000 / Double(account.total)
      writer.markup("<rect class=\"f-")
      writer.markup(part.use.styleName)
      writer.markup("\" height=\"30\"")
      writer.attribute("x", start)
      writer.attribute("width", max(width - 1, 0.3))
      writer.markup("><title>")
      writer.text("\(label(part.use)): \(share(part, account))")
      writer.markup("</title></rect>")
      start += width
    }
    writer.markup("</svg>")
  }

  private static func append(
    _ part: SlotAccount.Part,
    _ account: SlotAccount,
    to writer: inout PageWriter
  ) {
    writer.markup("<li><i class=\"b-")
    writer.markup(part.use.styleName)
    writer.markup("\"></i><span>")
    writer.text(label(part.use))
    writer.markup(" <b>")
    writer.text(ReportWording.duration(part.time))
    writer.markup("</b> <span class=\"share\">")
    writer.text(share(part, account))
    writer.markup("</span></span></li>")
  }

  private static func label(_ use: SlotUse) -> String {
    (use.isIdle ? "idle: " : "") + ReportWording.use(use)
  }

  private static func share(_ part: SlotAccount.Part, _ account: SlotAccount) -> String {
    let tenths = Int((Double(part.time) * 1_000 / Double(account.total)).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
