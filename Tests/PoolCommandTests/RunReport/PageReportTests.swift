import Foundation
import PoolAnalysis
import PoolEvents
import PoolModel
import PoolReports
import PoolWire
import Testing

/// Contract: the page of a run is complete in itself, shows texts from outside as text alone, and
/// stays small.
@Suite("The page of a recorded run")
struct PageReportTests {
  private func page(
    of history: RunHistory,
    _ omissions: PageOptions.Omissions = [],
    named name: [UInt8] = Array("/a/b/run.journal".utf8)
  ) -> String {
    let options = PageOptions(name: name, omissions: omissions)
    let bytes = PageReport.page(of: RunAnalysis(history), options)
    // Repairs nothing only if it is UTF-8.
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(Array(text.utf8) == bytes)
    return text
  }

  /// What stands between two texts for the first time.
  private func part(of page: String, from start: String, to end: String) throws -> String {
    let from = try #require(page.range(of: start)).upperBound
    let to = try #require(page.range(of: end, range: from..<page.endIndex)).lowerBound
    return String(page[from..<to])
  }

  private func data(of page: String) throws -> [String: Any] {
    let text = try part(of: page, from: #"id="data">"#, to: "</script>")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Undoes the compression of similar texts, as the script does.
  private func unpacked(_ value: Any?) throws -> [String] {
    var last: [Unicode.Scalar] = []
    return try #require(value as? String).split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        let scalars = Array(line.unicodeScalars)
        last = Array(last.prefix(Int(scalars[0].value) - 35) + scalars.dropFirst())
        return String(String.UnicodeScalarView(last))
      }
  }

  /// The numbers of a column, which are characters if all of them are small.
  private func small(_ value: Any?) throws -> [Int] {
    if let numbers = value as? [Int] { return numbers }
    return try #require(value as? String).utf8.map { Int($0) - ($0 < UInt8(ascii: "<") ? 35 : 36) }
  }

  @Test("Hostile texts become no markup, no script, and nothing invisible")
  func hostileTexts() throws {
    let page = page(of: SyntheticRun.hostile(), named: SyntheticRun.hostileTexts[0])
    #expect(page.components(separatedBy: "</script").count == 3)
    #expect(page.components(separatedBy: "<script").count == 3)
    for text in ["<img", "<!--"] { #expect(!page.contains(text), "\(text)") }
    let markup = page.components(separatedBy: #"<script type="application/json""#)[0]
    for text in ["onerror=alert(1)>", #"" onmouseover="#, "<script"] {
      #expect(!markup.contains(text), "\(text)")
    }
    for scalar in page.unicodeScalars where scalar != "\n" {
      let isInvisible = [0x202E, 0x2028, 0x200B, 0xFEFF].contains(scalar.value)
      #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && !isInvisible)
    }
  }

  @Test("What is no UTF-8, and what cannot be seen, is shown as numbers")
  func visibleTexts() throws {
    let data = try data(of: page(of: SyntheticRun.hostile()))
    let ids = try unpacked(data["ids"])
    #expect(ids.count == SyntheticRun.hostileTexts.count)
    #expect(ids[0] == "</script><img src=x onerror=alert(1)>")
    let visible = #"a\u{202e}b\u{2028}c\u{200b}d\u{feff}e\n\r\t\x1B[31m\x00\x85"#
    #expect(ids[3] == visible)
    #expect(ids[4] == #"a\xFF\xC3(\xED\xA0\x80b"#)
    #expect(ids[6].hasPrefix("é€😀é€😀") && ids[6].hasSuffix("…"))
    #expect(ids[6].unicodeScalars.allSatisfy { "é€😀…".unicodeScalars.contains($0) })
  }

  @Test("The policy allows the page's own script and style alone", arguments: ["script", "style"])
  func policy(_ element: String) throws {
    let page = page(of: SyntheticRun.hostile())
    let policy = try part(of: page, from: #"Content-Security-Policy" content=""#, to: #"">"#)
    #expect(policy.hasPrefix("default-src 'none'; "))
    let text = try part(of: page, from: "<\(element)>", to: "</\(element)>")
    let hex = SHA256.digest(of: Array(text.utf8)).hex
    let digits = stride(from: 0, to: 64, by: 2).map {
      String(decoding: hex[$0..<$0 + 2], as: UTF8.self)
    }
    let hash = Data(digits.compactMap { UInt8($0, radix: 16) }).base64EncodedString()
    #expect(policy.contains("\(element)-src 'sha256-\(hash)'"))
    for loophole in [" style=\"", " onclick=", "unsafe", "javascript:"] {
      #expect(!page.contains(loophole), "\(loophole)")
    }
  }

  @Test("The page refers to nothing outside of it")
  func references() {
    let page = page(of: SyntheticRun.large(300))
    for reference in ["http:", "https:", "//cdn", "src=", "url(", "@import", "<link", "fetch("] {
      #expect(!page.contains(reference), "\(reference)")
    }
    for link in page.components(separatedBy: "href=\"").dropFirst() { #expect(link.hasPrefix("#")) }
  }

  /// `Scripts/verify/report-page` looks at 100,000, which have less than 6 MB.
  @Test("The page of 5,000 operations has less than 500 KB, and no table of more than 200 rows")
  func size() throws {
    let history = SyntheticRun.large(5_000)
    let page = PageReport.page(of: RunAnalysis(history), PageOptions(name: [0x61]))
    #expect(page.count < 500_000)
    let end = try #require(Data(page).range(of: Data(#"<script type="application/json""#.utf8)))
    let markup = String(decoding: page[..<end.lowerBound], as: UTF8.self)
    #expect(markup.utf8.count < 200_000)
    for table in markup.components(separatedBy: "</table>") {
      #expect(table.components(separatedBy: "<tr>").count <= 201)
    }
  }

  @Test("The shares of slot time add up to the whole")
  func shares() throws {
    for history in [SyntheticRun.hostile(), SyntheticRun.large(1_000)] {
      let account = try part(
        of: page(of: history),
        from: #"<section id="account""#,
        to: "</section>"
      )
      let shares = account.components(separatedBy: #"class="share">"#).dropFirst()
        .compactMap { Double($0.prefix { $0 != " " }) }
      #expect(!shares.isEmpty)
      #expect(abs(shares.reduce(0, +) - 100) <= 0.5)
    }
  }

  @Test("The data have every operation and every attempt, with its time to a microsecond")
  func columns() throws {
    let history = SyntheticRun.large(1_000)
    let data = try data(of: page(of: history))
    let ids = try unpacked(data["ids"])
    #expect(ids == history.operations.map { String(decoding: $0.id, as: UTF8.self) })
    let commands = try unpacked(data["commands"]).map { Array($0.utf8) }
    #expect(commands == history.operations.map { $0.submitted.description.command })
    var sum = 0
    let starts = try #require(data["start"] as? [Int]).map { delta in
      sum += delta
      return sum
    }
    let attempts = history.operations.flatMap(\.attempts)
    #expect(starts == attempts.map { Int($0.started.nanoseconds / 1_000) })
    #expect(data["duration"] as? [Int] == attempts.map { Int($0.duration / 1_000) })
    #expect(try small(data["ending"]) == history.operations.map { Int($0.ending?.rawValue ?? 6) })
    #expect(try small(data["worker"]) == (0..<1_000).map { $0 % 64 })
  }

  @Test("Commands are left out of a page that is passed on, and so are outputs")
  func omissions() {
    var run = SyntheticRun(arguments: [Array("--secret-argument".utf8)])
    run.submit(0, Array("name".utf8), command: Array("secret-command".utf8))
    run.execute(0, on: 0, as: .failed, saying: "secret-output", isLast: false)
    run.execute(0, on: 1, attempt: 2, as: .failed, saying: "secret-output")
    run.loseWorker(0, "secret-output of a worker")
    run.end(1)
    let whole = page(of: run.history)
    let places = ["secret-argument", "secret-command", "/secret/folder", "secret-output"]
    for text in places { #expect(whole.contains(text), "\(text)") }
    let withoutCommands = page(of: run.history, .commands)
    for text in places.dropLast() where text != "secret-argument" {
      #expect(!withoutCommands.contains(text), "\(text)")
    }
    #expect(withoutCommands.contains("secret-output"))
    let withoutOutputs = page(of: run.history, .outputs)
    #expect(!withoutOutputs.contains("secret-output"))
    #expect(withoutOutputs.contains("secret-command"))
  }

  @Test("First come the host, the date, the exit code and the verdict")
  func head() throws {
    let page = page(of: SyntheticRun.large(1_000))
    let head = try part(of: page, from: "<header>", to: "</header>")
    for text in [
      "run.journal", "exit code 0", "2026-11-28 18:59:13 UTC", "opool run", PackageVersion.text,
      "998 of 1000 operations succeeded in", ": 2 failed.", "What to change",
    ] {
      #expect(head.contains(text), "\(text)")
    }
    let order = ["<header>", "id=\"account\"", "id=\"timeline\"", "<nav", "id=\"failures\""]
    let places = order.compactMap { page.range(of: $0)?.lowerBound }
    #expect(places.count == order.count && places == places.sorted())
  }

  @Test("A run without operations, and records without an end, have a page too")
  func emptyRuns() {
    let empty = page(of: SyntheticRun().history)
    #expect(empty.contains("The run had no operations"))
    #expect(empty.contains("it was killed, or it goes on"))
    #expect(page(of: RunHistory()).contains("no exit code"))
  }

  @Test("Failures, repeated attempts and deaths of workers are grouped, and capped")
  func trouble() throws {
    var run = SyntheticRun(width: 40)
    for number in 0..<90 {
      run.submit(number, Array("op\(number)".utf8))
      // Numbers in a message make no difference, letters do.
      let message = "fault \(Character(Unicode.Scalar(UInt8(97 + number % 30 % 26)))) \(number)"
      run.execute(number, on: number % 40, as: .failed, saying: "again", isLast: false)
      run.execute(number, on: number % 40, attempt: 2, as: .failed, saying: message)
    }
    for worker in 0..<12 { run.loseWorker(worker, "was ended by signal 9") }
    run.end(1)
    let failures = try part(of: page(of: run.history), from: #"id="failures""#, to: "</section>")
    #expect(failures.components(separatedBy: "<li>").count == 21)
    #expect(failures.contains("6 more groups of failures"))
    #expect(failures.components(separatedBy: "was ended by signal 9").count == 2)
    #expect(failures.contains(#"<td>again</td><td class="n">90</td>"#))
    #expect(failures.contains("op4</a> and 85 more"))
    #expect(failures.contains("1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more"))
  }
}
