import PoolContents
import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolReports

/// Contract: the document has each operation once, in the suite of its group, and is XML whatever
/// operations are called and print.
@Suite("A document of JUnit's XML")
struct JUnitReportTests {
  private func document(_ tests: [JUnitCase]) -> String {
    var report = JUnitReport()
    for test in tests { report.add(test) }
    let bytes = report.document(
      start: 1_795_000_000_000_000_000,
      host: "h&h",
      elapsed: 2_000_000_000
    )
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("has suites, cases, counts and times")
  func document() {
    var failed = JUnitCase(
      name: "a<b",
      suite: "g",
      time: 12_345_678,
      attempts: 3,
      result: .failure
    )
    (failed.type, failed.message) = ("exit", "failed: \"1\"\n")
    (failed.output, failed.error) = ("out\n", "e & f\u{1B}[m\n")
    failed.place = ("m.jsonl", 7)
    var skipped = JUnitCase(name: "c", suite: "m", time: 0, attempts: 0, result: .skipped)
    skipped.message = "skipped because of a<b"
    let passed = JUnitCase(name: "d", suite: "m", time: 1_500_000_000, attempts: 1, result: .passed)
    #expect(
      document([failed, skipped, passed]) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="opool" tests="3" failures="1" errors="0" skipped="1" time="2.000">
         <testsuite name="g" tests="1" failures="1" errors="0" skipped="0" time="0.012" \
        timestamp="2026-11-18T11:06:40" hostname="h&amp;h">
          <testcase name="a&lt;b" classname="g" time="0.012" file="m.jsonl" line="7">
           <properties><property name="attempts" value="3"/></properties>
           <failure type="exit" message="failed: &quot;1&quot;&#10;">e &amp; f\u{FFFD}[m
        </failure>
           <system-out>out
        </system-out>
           <system-err>e &amp; f\u{FFFD}[m
        </system-err>
          </testcase>
         </testsuite>
         <testsuite name="m" tests="2" failures="0" errors="0" skipped="1" time="1.500" \
        timestamp="2026-11-18T11:06:40" hostname="h&amp;h">
          <testcase name="c" classname="m" time="0.000">
           <skipped message="skipped because of a&lt;b"/>
          </testcase>
          <testcase name="d" classname="m" time="1.500"/>
         </testsuite>
        </testsuites>

        """
    )
  }

  @Test("of a run without operations has none")
  func empty() {
    #expect(document([]).contains(#"tests="0" failures="0" errors="0" skipped="0" time="2.000">"#))
  }

  @Test(
    "tells failures from errors",
    arguments: [
      (PoolEnding.succeeded, nil, JUnitCase.Result.passed), (.failed, .exit, .failure),
      (.failed, .spawn, .error), (.timedOut, .timeout, .failure), (.lost, .workerDied, .error),
      (.cancelled, .cancelled, .skipped), (.skipped, .dependency, .skipped),
      (.failed, .noWorker, .error), (.failed, nil, .error),
    ] as [(PoolEnding, PoolFailureCause?, JUnitCase.Result)]
  )
  func results(ending: PoolEnding, cause: PoolFailureCause?, result: JUnitCase.Result) {
    #expect(JUnitCase.Result(EndRecord(number: 0, ending: ending, cause: cause)) == result)
  }

  @Test("has only characters of XML, and no tag of others", arguments: RandomSeeds.first(300))
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = String(
      decoding: (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) },
      as: UTF8.self
    )
    var content: [UInt8] = []
    XMLText.append(text + "]]>\u{FFFE}\u{FFFF}", to: &content)
    var attribute: [UInt8] = []
    XMLText.append("a", text, to: &attribute)
    for bytes in [content, attribute] {
      let xml = String(decoding: bytes, as: UTF8.self)
      for scalar in xml.unicodeScalars {
        let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
        #expect(!isControl && scalar.value != 0xFFFE && scalar.value != 0xFFFF, "seed \(seed)")
        #expect(scalar != "<" && scalar != ">", "seed \(seed)")
      }
    }
    let value = String(decoding: attribute, as: UTF8.self)
    #expect(attribute.starts(with: " a=\"".utf8) && attribute.last == UInt8(ascii: "\""))
    #expect(value.unicodeScalars.count { "\"\n\r\t".unicodeScalars.contains($0) } == 2)
  }

  @Test("has ends of outputs, in all no more than it has room for")
  func tails() {
    var tails = OutputTail()
    func take(_ size: Int, isFailure: Bool) -> String {
      let line = Array(repeating: UInt8(ascii: "x"), count: 99) + [UInt8(ascii: "\n")]
      let bytes = (0..<size / 100).flatMap { _ in line }
      return tails.take(.inline(bytes), isFailure: isFailure)
    }
    #expect(tails.take(.empty, isFailure: true).isEmpty)
    #expect(take(200, isFailure: false).utf8.count == 200)
    let long = take(100_000, isFailure: true)
    #expect(long.hasPrefix("(the end of 100000 bytes)\nxxx") && long.utf8.count < 8_100)
    #expect(take(100_000, isFailure: false).utf8.count < 1_100)
    var total = 0
    for _ in 0..<3_000 { total += take(10_000, isFailure: true).utf8.count }
    #expect(total < 18 << 20)
    #expect(take(100, isFailure: true) == "(100 bytes, left out: there are too many outputs)\n")
    #expect(take(100, isFailure: false).utf8.count == 100)
  }
}
