import PoolJournal
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: only a file of the same kind of lines is continued, behind its last whole line, or
/// where the journal says.
@Suite("A file of lines that is continued")
struct FoundLinesTests {
  private static let header = String(decoding: JobLogLine.header, as: UTF8.self)
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func found(_ text: String, _ lines: TargetLines = .jobLog) throws -> FoundLines {
    try folder.write(Array(text.utf8), to: "lines")
    return try FoundLines(Array(folder.path(of: "lines").utf8), of: lines) {
      String(decoding: $0, as: UTF8.self).hasPrefix("own")
    }
  }

  private func continuation(
    _ text: String,
    _ lines: TargetLines = .jobLog
  ) throws -> TargetContinuation {
    let role = try #require(lines.role)
    return JournalTargets().continuation(of: try found(text, lines), as: role)
  }

  @Test("A job log is kept up to its last line feed")
  func jobLog() throws {
    func kept(_ text: String) throws -> TargetContinuation { try continuation(Self.header + text) }
    let size = Int64(Self.header.utf8.count)
    #expect(try kept("") == .continued(target: nil, keeping: size))
    #expect(try kept("1\t:\n") == .continued(target: nil, keeping: size + 4))
    #expect(try kept("1\t:\n2\t:\t0") == .continued(target: nil, keeping: size + 4))
    // The last line is longer than what is read at once.
    let long = String(repeating: "x", count: 200_000)
    #expect(try kept("1\n" + long) == .continued(target: nil, keeping: size + 2))
    #expect(try kept(long + "\n") == .continued(target: nil, keeping: size + 200_001))
    let edge = String(repeating: "y", count: 64 << 10)
    #expect(try kept(edge) == .continued(target: nil, keeping: size))
  }

  @Test("A file without a whole first line starts again")
  func empty() throws {
    #expect(try continuation("") == .replaced)
    for torn in ["Seq\tHo", String(Self.header.dropLast())] {
      #expect(try continuation(torn) == .continued(target: nil, keeping: 0))
    }
    #expect(try continuation(#"{"id":"#, .results) == .continued(target: nil, keeping: 0))
    #expect(try continuation("{}\n{", .results) == .continued(target: nil, keeping: 3))
  }

  @Test("Another file is refused")
  func foreign() throws {
    let texts = ["\n", "Seq\n", "Seq,Host\n1,:\n", String(Self.header.dropLast()) + "s\n", "{}\n"]
    for text in texts {
      guard case .refused = try continuation(text) else {
        Issue.record("\(text)")
        continue
      }
    }
    guard case .refused = try continuation("PATH=/bin\n", .results) else {
      Issue.record("not a file of results")
      return
    }
  }

  @Test("The first whole line that is not the journal's own is found, also behind 64 KiB")
  func foreignLine() throws {
    let long = "own" + String(repeating: "x", count: 70_000) + "\n"
    #expect(try found("own 1\nown 2\nto").foreignLine(behind: 0) == nil)
    #expect(try found("own 1\nother\nown").foreignLine(behind: 0) == 6)
    #expect(try found("other\nown 1\n").foreignLine(behind: 6) == nil)
    #expect(try found(long + long + "x\ny\n").foreignLine(behind: 0) == 2 * 70_004)
    #expect(try found("own 1\n\nown 2\n").foreignLine(behind: 0) == 6)
  }

  @Test("A file is recognized by the end of what was written to it")
  func extent() throws {
    let text = String(repeating: "line\n", count: 2_000)
    let found = try found(text + "more\n")
    let extent = TargetExtent(length: 10_000, endingIn: Array(text.utf8))
    #expect(found.has(extent) && extent.tailCount == TargetExtent.tailLimit)
    #expect(!found.has(TargetExtent(length: 10_001, endingIn: Array(text.utf8))))
    #expect(!found.has(TargetExtent(length: 20_000, endingIn: Array(text.utf8))))
    #expect(found.has(.empty))
  }
}
