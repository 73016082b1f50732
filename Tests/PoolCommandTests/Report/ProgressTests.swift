import PoolCommand
import PoolModel
import Testing

@testable import PoolReports
@testable import PoolText

/// Contract: the progress line never takes more columns than there are, and loses its last parts
/// first.
@Suite("The progress line")
struct ProgressTests {
  private var snapshot: ProgressSnapshot {
    var snapshot = ProgressSnapshot(
      finished: 120,
      total: 1_000,
      executing: 8,
      failed: 3,
      elapsed: 75_000_000_000,
      oldest: [.init(label: "convert 'große datei.png' out.jpg", elapsed: 3_700_000_000)]
    )
    snapshot.remaining = RemainingTime(nanoseconds: 550_000_000_000)
    return snapshot
  }

  @Test(
    "At each width it is this",
    arguments: [
      (0, ""), (1, "…"), (5, "120/…"), (8, "120/1000"), (20, "120/1000"),
      (21, "120/1000, 8 executing"), (40, "120/1000, 8 executing, 3 failed, 1:15"),
      (50, "120/1000, 8 executing, 3 failed, 1:15, 9:10 left"),
      (70, "120/1000, 8 executing, 3 failed, 1:15, 9:10 left: convert…out.jpg 0:03"),
      (
        100,
        "120/1000, 8 executing, 3 failed, 1:15, 9:10 left: convert 'große datei.png' out.jpg 0:03"
      ),
      (
        200,
        "120/1000, 8 executing, 3 failed, 1:15, 9:10 left: convert 'große datei.png' out.jpg 0:03"
      ),
    ]
  )
  func widths(width: Int, line: String) {
    #expect(snapshot.line(width: width) == line)
  }

  @Test("It fits every width from 20 to 200, whatever is in it", arguments: 20...200)
  func fits(width: Int) {
    var wide = snapshot
    wide.oldest[0].label = String(repeating: "漢字e\u{301}👩‍👩‍👧\u{1B}", count: 40)
    #expect(DisplayWidth.of(wide.line(width: width)) <= width)
    #expect(!wide.line(width: width).contains("\u{1B}"))
  }

  @Test("At the start nothing is estimated, and without failures none are mentioned")
  func start() {
    var waiting = ProgressSnapshot(finished: 1, total: 5, executing: 0, failed: 1, elapsed: 0)
    (waiting.delayed, waiting.nextAttempt) = (2, 65_000_000_000)
    #expect(waiting.line(width: 80) == "1/5, 0 executing, 2 to retry in 1:05, 1 failed, 0:00")
    #expect(waiting.report == "1 of 5 done, 1 failed, 0 executing, 2 to retry in 1:05")
    let start = ProgressSnapshot(finished: 0, total: 5, executing: 2, failed: 0, elapsed: 0)
    #expect(start.line(width: 80) == "0/5, 2 executing, 0:00")
  }

  @Test("An input that has not ended is marked, and so is what may take longer")
  func open() {
    var open = ProgressSnapshot(finished: 1, total: 12_773, executing: 2, failed: 0, elapsed: 0)
    open.isOpen = true
    open.remaining = RemainingTime(nanoseconds: 90_000_000_000, isAtLeast: true)
    #expect(open.line(width: 80) == "1/12773+, 2 executing, 0:00, 1:30+ left")
  }

  @Test("A run is over when all operations have ended and no more may come")
  func over() {
    var snapshot = ProgressSnapshot(finished: 5, total: 5, executing: 0, failed: 0, elapsed: 0)
    #expect(snapshot.isOver)
    snapshot.isOpen = true
    #expect(!snapshot.isOver)
    snapshot.finished = 4
    snapshot.isOpen = false
    #expect(!snapshot.isOver)
  }

  @Test("Durations are read as clocks show them, or in seconds")
  func durations() {
    #expect(DurationFormat.clock(-1) == "0:00")
    #expect(DurationFormat.clock(59_999_999_999) == "0:59")
    #expect(DurationFormat.clock(3_599_000_000_000) == "59:59")
    #expect(DurationFormat.clock(3_661_000_000_000) == "1:01:01")
    #expect(DurationFormat.rough(49_000_000) == "0.0 s")
    #expect(DurationFormat.rough(50_000_000) == "0.1 s")
    #expect(DurationFormat.rough(99_949_000_000) == "99.9 s")
    #expect(DurationFormat.rough(99_950_000_000) == "1:39")
  }

  @Test("Text of unknown origin cannot move the cursor")
  func printable() {
    #expect(
      Printable.text([0x61, 0x1B, 0x0A, 0xFF, 0xE2, 0x82, 0xC3, 0xBC]) == #"a\x1B\n\xFF\xE2\x82ü"#
    )
    #expect(Printable.text("a\u{9B}b\u{202E}") == #"a\x9Bb\u{202e}"#)
  }

  @Test("A very long name is shown without its middle, and without parts of characters")
  func longNames() {
    let longest = String(repeating: "é", count: 128)
    #expect(Printable.name(longest) == longest)
    let long = "a" + String(repeating: "é", count: 50_000) + "\n"
    let end = String(repeating: "é", count: 63)
    #expect(Printable.name(long) == "a\(end)…(99748 bytes)…\(end)\\n")
    let invalid = [UInt8](repeating: 0x80, count: 300)
    #expect(Printable.name(invalid) == "…(300 bytes)…")
  }

  @Test("Columns are counted as terminals count them")
  func columns() {
    #expect(DisplayWidth.of("abc") == 3)
    #expect(DisplayWidth.of("漢字") == 4)
    #expect(DisplayWidth.of("e\u{301}") == 1)
    #expect(DisplayWidth.truncate("漢字x", to: 4) == "漢…")
    #expect(DisplayWidth.truncate("abcd", to: 4) == "abcd")
  }

  @Test("Where a name is too long, its middle is left out: names often differ at their ends")
  func middles() {
    #expect(DisplayWidth.truncateMiddle("sample-1/align", to: 14) == "sample-1/align")
    #expect(DisplayWidth.truncateMiddle("sample-1/align", to: 11) == "sampl…align")
    #expect(DisplayWidth.truncateMiddle("sample-1/align", to: 10) == "samp…align")
    #expect(DisplayWidth.truncateMiddle("漢字漢字x", to: 7) == "漢…字x")
    #expect(DisplayWidth.truncateMiddle("abcd", to: 2) == "a…")
    #expect(DisplayWidth.truncateMiddle("abcd", to: 0).isEmpty)
    for width in 0...30 {
      let text = DisplayWidth.truncateMiddle("漢字e\u{301}漢字 and 漢字", to: width)
      #expect(DisplayWidth.of(text) <= width)
    }
  }
}
