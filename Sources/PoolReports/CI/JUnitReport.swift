import PoolModel
import PoolText

/// The operations of a run as a document of JUnit's XML: a suite for each group, and one for all
/// operations without a group.
struct JUnitReport {
  /// The operations of a group, as XML, and their counts.
  private struct Suite {
    var name: String
    var cases: [UInt8] = []
    var counts: [JUnitCase.Result: Int] = [:]
    /// Nanoseconds of all its operations.
    var time: Int64 = 0
  }

  private var suites: [Suite] = []
  private var places: [String: Int] = [:]

  /// Adds an operation.
  mutating func add(_ test: JUnitCase) {
    let place = places[test.suite] ?? suites.count
    if place == suites.count {
      places[test.suite] = place
      suites.append(Suite(name: test.suite))
    }
    suites[place].counts[test.result, default: 0] += 1
    suites[place].time = suites[place].time.saturatingSum(test.time)
    test.append(to: &suites[place].cases)
  }

  /// The document of a run that began so many nanoseconds after 1970, on a machine, and took that
  /// long.
  func document(start: Int64, host: String, elapsed: Int64) -> [UInt8] {
    var text = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
    XMLText.append("name", "opool", to: &text)
    let counts = suites.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
    Self.append(counts, elapsed, to: &text)
    text += ">\n".utf8
    for suite in suites {
      text += " <testsuite".utf8
      XMLText.append("name", suite.name, to: &text)
      Self.append(suite.counts, suite.time, to: &text)
      XMLText.append("timestamp", Self.timestamp(start), to: &text)
      XMLText.append("hostname", host, to: &text)
      text += ">\n".utf8
      text += suite.cases
      text += " </testsuite>\n".utf8
    }
    return text + "</testsuites>\n".utf8
  }

  private static func append(
    _ counts: [JUnitCase.Result: Int],
    _ time: Int64,
    to text: inout [UInt8]
  ) {
    XMLText.append("tests", "\(counts.values.reduce(0, +))", to: &text)
    XMLText.append("failures", "\(counts[.failure] ?? 0)", to: &text)
    XMLText.append("errors", "\(counts[.error] ?? 0)", to: &text)
    XMLText.append("skipped", "\(counts[.skipped] ?? 0)", to: &text)
    XMLText.append("time", seconds(time), to: &text)
  }

  /// As ISO 8601 has it, in UTC, without a zone: some readers refuse one.
  private static func timestamp(_ start: Int64) -> String {
    DateFormat.utc(start).split(separator: " ").prefix(2).joined(separator: "T")
  }

  /// Seconds with three decimals.
  static func seconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = (max(nanoseconds, 0) / 1_000_000).quotientAndRemainder(dividingBy: 1_000)
    return "\(whole).\(String(1_000 + rest).dropFirst())"
  }
}

extension JUnitCase {
  /// Appends the element.
  func append(to text: inout [UInt8]) {
    text += "  <testcase".utf8
    XMLText.append("name", name, to: &text)
    XMLText.append("classname", suite, to: &text)
    XMLText.append("time", JUnitReport.seconds(time), to: &text)
    if let place {
      XMLText.append("file", place.file, to: &text)
      XMLText.append("line", "\(place.line)", to: &text)
    }
    guard result != .passed || attempts > 1 || !output.isEmpty || !error.isEmpty else {
      text += "/>\n".utf8
      return
    }
    text += ">\n".utf8
    appendContent(to: &text)
    text += "  </testcase>\n".utf8
  }

  private func appendContent(to text: inout [UInt8]) {
    if attempts > 1 {
      text +=
        "   <properties><property name=\"attempts\" value=\"\(attempts)\"/></properties>\n".utf8
    }
    if result != .passed {
      text += "   <\(result.rawValue)".utf8
      if result != .skipped { XMLText.append("type", type, to: &text) }
      XMLText.append("message", message, to: &text)
      // What the operation has printed says most; its error output, if there is any.
      let end = error.isEmpty ? output : error
      Self.append(result == .skipped ? "" : end, in: result.rawValue, to: &text)
    }
    for (element, content) in [("system-out", output), ("system-err", error)]
    where !content.isEmpty {
      text += "   <\(element)".utf8
      Self.append(content, in: element, to: &text)
    }
  }

  /// Ends a tag, with its content.
  private static func append(_ content: String, in element: String, to text: inout [UInt8]) {
    guard !content.isEmpty else {
      text += "/>\n".utf8
      return
    }
    text.append(UInt8(ascii: ">"))
    XMLText.append(content, to: &text)
    text += "</\(element)>\n".utf8
  }
}
