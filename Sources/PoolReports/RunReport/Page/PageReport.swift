package import PoolAnalysis
import PoolModel
import PoolWire

/// The report of a run as one page that needs no network, no library and no other file.
///
/// What is bounded is HTML and SVG, and shows without scripts: tables have no more than 200 rows.
/// What grows with the run is data for the page's script, which draws on a canvas, and shows the
/// rows of a table that are in sight.
package enum PageReport {
  /// The page; time is linear in operations, attempts and dependencies, but for sorting.
  package static func page(of analysis: RunAnalysis, _ options: PageOptions) -> [UInt8] {
    let facts = PageFacts(analysis, options)
    let (operations, others) = AtOnce().both(
      { PageData.operations(of: facts) },
      { (data: PageData.rest(of: facts), head: head(of: facts, options)) }
    )
    var (data, writer) = (operations, others.head)
    data.append(others.data)
    writer.element("script type=\"application/json\" id=\"data\"") { $0.raw(data.finished()) }
    writer.element("script") { $0.raw(Array(PageScript.text.utf8)) }
    writer.markup("</body></html>\n")
    return writer.bytes
  }

  /// The page up to its data.
  private static func head(of facts: PageFacts, _ options: PageOptions) -> PageWriter {
    var writer = PageWriter()
    writer.markup("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
    appendPolicy(to: &writer)
    writer.element("title") { $0.text(options.title) }
    writer.element("style") { $0.raw(Array(PageStyle.text.utf8)) }
    writer.markup("</head>\n<body><a class=\"skip\" href=\"#timeline\">To the timeline</a>\n")
    HeadSection.append(facts, to: &writer)
    writer.element("main") { appendSections(facts, to: &$0) }
    return writer
  }

  private static func appendSections(_ facts: PageFacts, to writer: inout PageWriter) {
    AccountSection.append(facts, to: &writer)
    TimelineSection.append(facts, to: &writer)
    writer.markup(navigation)
    FailureSection.append(facts, to: &writer)
    ChainSection.append(facts, to: &writer)
    GroupSection.append(facts, to: &writer)
    WorkerSection.append(facts, to: &writer)
    GraphSection.append(facts, to: &writer)
    OperationSection.append(facts, to: &writer)
    AboutSection.append(facts, to: &writer)
  }

  private static let navigation: StaticString = """
    <nav aria-label="Sections"><a href="#failures">Failures</a><a href="#why">Why it took that \
    long</a><a href="#groups">Groups</a><a href="#workers">Workers</a><a href="#graph">Graph</a>\
    <a href="#operations">All operations</a><a href="#about">About the data</a></nav>

    """

  /// Nothing is loaded, and nothing is executed but the page's own script.
  private static func appendPolicy(to writer: inout PageWriter) {
    writer.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
    writer.markup("script-src 'sha256-")
    writer.raw(hash(of: PageScript.text))
    writer.markup("'; style-src 'sha256-")
    writer.raw(hash(of: PageStyle.text))
    writer.markup("'; base-uri 'none'; form-action 'none'\">")
    writer.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
    writer.markup("<meta name=\"referrer\" content=\"no-referrer\">")
  }

  /// The SHA-256 of a text in Base64.
  private static func hash(of text: String) -> [UInt8] {
    let words = SHA256.digest(of: Array(text.utf8)).words
    let bytes = (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> (24 - 8 * ($0 % 4))) }
    var hash: [UInt8] = []
    bytes.withUnsafeBufferPointer { Base64.encode($0, into: &hash) }
    return hash
  }
}

extension PageOptions {
  /// The name of the file of records without its folder.
  var fileName: [UInt8] { name.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? name }

  fileprivate var title: [UInt8] { fileName + Array(" – opool report".utf8) }
}
