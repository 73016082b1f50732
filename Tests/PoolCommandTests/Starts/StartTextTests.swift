import PoolModel
import PoolSystem
import Testing

@testable import PoolCommand
@testable import PoolText

/// Contract: durations, sizes, loads and widths are read as people write them, or refused.
@Suite("Texts of starts")
struct StartTextTests {
  @Test(
    "durations have units, each once and the longest first; without one they are seconds",
    arguments: [
      ("5", 5.0), ("0.5", 0.5), ("1e-3", 0.001), ("500ms", 0.5), ("5s", 5), ("1m", 60),
      ("1.5h", 5_400), ("1d", 86_400), ("1m30s", 90), ("1d2h3m4s5ms", 93_784.005), ("0", 0),
      ("0s", 0),
    ]
  )
  func durations(_ text: String, _ seconds: Double) throws {
    #expect(DurationFormat.nanoseconds(Array(text.utf8)) == .seconds(seconds))
  }

  @Test(
    "other texts are no durations",
    arguments: [
      "", "s", "-1", "-1s", "1x", "1s1m", "1s1s", "1m30", "1 s", "1S", "inf", "nan", "1ms5", ".",
      "1..5s", "1e3s", "5s ",
    ]
  )
  func noDurations(_ text: String) {
    #expect(DurationFormat.nanoseconds(Array(text.utf8)) == nil)
  }

  @Test("no duration is rounded to none, and none is too long to be stored")
  func extremeDurations() {
    #expect(DurationFormat.nanoseconds(Array("0.0000000001".utf8)) == 1)
    #expect(DurationFormat.nanoseconds(Array("99999999999999d".utf8)) == .max)
    #expect(DurationFormat.nanoseconds(Array("20".utf8), plain: 1e6) == 20_000_000)
    #expect(DurationFormat.nanoseconds(Array("20s".utf8), plain: 1e6) == 20_000_000_000)
  }

  @Test(
    "sizes have units of 1024 in capitals and of 1000 in small letters",
    arguments: [
      ("1", 1), ("512", 512), ("1k", 1_000), ("1K", 1_024), ("1.5M", 1_572_864),
      ("2g", 2_000_000_000), ("1T", 1 << 40), ("1P", 1 << 50),
    ]
  )
  func sizes(_ text: String, _ count: Int) {
    #expect(ByteSize.parse(Array(text.utf8)) == count)
  }

  @Test("other texts are no sizes", arguments: ["", "0", "-1", "M", "1KB", "1x", "99999P"])
  func noSizes(_ text: String) {
    #expect(ByteSize.parse(Array(text.utf8)) == nil)
  }

  @Test("each reason to start nothing has its words")
  func holds() {
    let limits = StartPolicy.Limits(delay: 5, load: 3.5, memory: 1 << 30, judgesEnds: true)
    func words(_ hold: StartPolicy.Hold) -> String? {
      HoldMessages(limits).hold(of: .hold(hold, until: .zero))
    }
    #expect(words(.delay) == "--delay holds back the next operation")
    #expect(words(.unjudged) == "--halt waits for the outcomes of what has ended")
    #expect(words(.load(4)) == "the load is 4.00, and --load allows less than 3.50")
    #expect(
      words(.memory(1 << 20))?.hasSuffix("of memory are available, and --memfree wants 1.0 GiB")
        == true
    )
    #expect(HoldMessages(limits).hold(of: .start) == nil)
  }

  @Test("sizes are shown in the largest unit")
  func shownSizes() {
    let texts = [0, 1_023, 1_024, 1_536 << 20].map { ByteSize.rough($0) }
    #expect(texts == ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 GiB"])
  }

  @Test("loads are numbers, or counted from the cores")
  func loads() {
    let texts = ["4.5", "80%", "+1", "+0"]
    let values = texts.map { LoadLimit(Array($0.utf8))?.value(cores: 4) }
    #expect(values == [4.5, 3.2, 5, 4])
    for text in ["", "0", "-1", "0%", "+5%", "x", "%", "1e99"] {
      #expect(LoadLimit(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test(
    "widths are numbers, or counted from the cores; at least 1",
    arguments: [
      ("1", 1), ("10000", 10_000), ("0", 99), ("+3", 7), ("-1", 3), ("-9", 1), ("50%", 2),
      ("200%", 8), ("10%", 1), ("+10000", 10_000),
    ]
  )
  func widths(_ text: String, _ width: Int) throws {
    let request = try #require(try WidthRequest(number: Array(text.utf8)))
    #expect(request.width(cores: 4, most: 99) == width)
  }

  @Test("what looks like a number and is no width is refused; other texts name a file")
  func noWidths() throws {
    for text in ["10001", "+", "-", "0%", "+5%", "1.5", "--1", "99999999999999999999"] {
      #expect(throws: WidthSyntaxError.self, "\(text)") {
        _ = try WidthRequest(number: Array(text.utf8))
      }
    }
    for text in ["jobs", "./4", "4x", "-file", ""] {
      #expect(try WidthRequest(number: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("a file says a width in its first line that is not empty")
  func widthFiles() throws {
    #expect(try WidthRequest(content: Array("\n 3 \r\n5\n".utf8)) == .count(3))
    #expect(try WidthRequest(content: Array("50%".utf8)) == .percent(50))
    for text in ["", "\n", "x", "3 4x", "./jobs"] {
      #expect(throws: WidthSyntaxError.self, "\(text)") {
        _ = try WidthRequest(content: Array(text.utf8))
      }
    }
  }

  @Test("descriptors and processes decide how many workers there may be")
  func capacity() {
    var facts = MachineFacts()
    (facts.descriptors, facts.userProcesses, facts.groupProcesses) = (1_024, nil, nil)
    #expect(WorkerCapacity(facts).most == 250)
    #expect(WorkerCapacity(facts).reason.hasPrefix("the limit of 1024 descriptors"))
    facts.groupProcesses = 60
    #expect(WorkerCapacity(facts).most == 20)
    #expect(WorkerCapacity(facts).reason == "the limit of 60 processes allows no more")
    (facts.descriptors, facts.groupProcesses) = (1 << 20, nil)
    #expect(WorkerCapacity(facts).most == 10_000)
    facts.descriptors = 20
    #expect(WorkerCapacity(facts).most == 1)
  }

  @Test("the memory of a cgroup counts with the pages that the system drops first")
  func memory() {
    let text = "MemTotal: 9 kB\nMemAvailable:   2048 kB\n"
    #expect(AvailableMemory.inMachine(text) == 2 << 20)
    #expect(AvailableMemory.inMachine("") == nil)
    let statistics = "anon 5\ninactive_file 100\n"
    #expect(
      AvailableMemory.inGroup(limit: "1000\n", current: "700\n", statistics: statistics) == 400
    )
    // Version 1 counts the cgroups within under another name, and has a number for no limit.
    let both = "inactive_file 1\ntotal_inactive_file 200\n"
    #expect(AvailableMemory.inGroup(limit: "1000\n", current: "700\n", statistics: both) == 500)
    let none = "9223372036854771712\n"
    #expect(AvailableMemory.inGroup(limit: none, current: "7\n", statistics: both) == nil)
    #expect(AvailableMemory.inGroup(limit: "max\n", current: "7", statistics: "") == nil)
    #expect(AvailableMemory.inGroup(limit: "5", current: "7", statistics: "") == 0)
  }
}
