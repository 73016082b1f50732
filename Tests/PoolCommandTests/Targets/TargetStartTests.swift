import PoolJournal
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: what a run does with a file that it continues is decided by what was found there, and
/// only what is to go is cut.
@Suite("How a target that is continued begins")
struct TargetStartTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// How a job log goes on that was found with a text behind its header.
  private func start(_ text: [UInt8], header: [UInt8] = TargetLines.jobLog.header) throws
    -> (start: TargetStart, refusal: String?)
  {
    try folder.write(header + text, to: "log")
    let found = try FoundLines(Array(folder.path(of: "log").utf8), of: .jobLog) { _ in true }
    var start = TargetStart(role: .jobLog, file: found.number)
    start.cutLength = nil
    let refusal = start.continue(found, by: JournalTargets())
    return (start, refusal)
  }

  @Test("One whose lines are whole is not cut: other runs may add lines before it is opened")
  func whole() throws {
    let (start, refusal) = try start(Array("1\n".utf8))
    let size = Int64(TargetLines.jobLog.header.count) + 2
    #expect(refusal == nil && start.keptByteCount == size && start.cutLength == nil)
    #expect(!start.isNew)
  }

  @Test("One with a torn line is cut behind the last whole one")
  func torn() throws {
    let (start, refusal) = try start(Array("1\n2".utf8))
    let size = Int64(TargetLines.jobLog.header.count) + 2
    #expect(refusal == nil && start.keptByteCount == size && start.cutLength == size)
  }

  @Test("An empty one gets everything, and there is nothing to cut")
  func empty() throws {
    let (start, refusal) = try start([], header: [])
    #expect(refusal == nil && start.keptByteCount == 0 && start.cutLength == nil && start.isNew)
  }

  @Test("One of other lines is refused, and nothing of it is cut")
  func foreign() throws {
    let (start, refusal) = try start(Array("x\n".utf8), header: [])
    #expect(refusal?.contains("not a job log") == true)
    #expect(start.cutLength == nil)
  }
}
