import PoolModel
import Testing

@testable import PoolReports

/// Contract: what a run says to those who steer it.
@Suite("Reports of steering")
struct SteeringReportTests {
  private func lines(_ result: SteeringReport.Result, _ notes: [String] = []) -> [String] {
    SteeringReport(result, notes: notes).lines
  }

  private func target(
    _ id: String,
    _ ended: [PoolEnding: Int] = [:],
    open: Int = 0,
    isGroup: Bool = false
  ) -> SteeringReport.Target {
    SteeringReport.Target(Array(id.utf8), isGroup: isGroup, ended: ended, openCount: open)
  }

  @Test("a request to cancel says of each target what has become of it, and what is skipped")
  func cancel() {
    let targets = [
      target("a\n", [.cancelled: 1]), target("b", [.succeeded: 1]), target("c", open: 1),
      target("g", [.cancelled: 3, .failed: 1], open: 2, isGroup: true),
      target("h", [.cancelled: 1], isGroup: true),
    ]
    #expect(
      lines(.cancel(targets, skipped: 3, pending: 1)) == [
        #"a\n: cancelled"#, "b: succeeded before it could be cancelled", "c: is still ending",
        "g: a group, 6 operations: 1 failed, 3 cancelled, 2 still ending",
        "h: a group, 1 operation: 1 cancelled", "3 that depend on that will be skipped",
      ]
    )
    #expect(!SteeringReport(.cancel(targets, skipped: 0, pending: 0)).isComplete)
    let done = [target("a", [.cancelled: 1])]
    #expect(SteeringReport(.cancel(done, skipped: 0, pending: 0)).isComplete)
    #expect(
      lines(.cancel(done, skipped: 1, pending: 0)) == [
        "a: cancelled", "1 that depends on that is skipped",
      ]
    )
  }

  @Test("a width, a pause and its end have their sentences, and what else holds is said")
  func others() {
    #expect(lines(.scale(to: 4, from: 2, executing: 2)) == ["4 at once, 2 before"])
    #expect(
      lines(.scale(to: 1, from: 1, executing: 3), ["x"]) == [
        "1 at once, as before", "3 execute: 2 more than that, which go on to their end", "x",
      ]
    )
    #expect(
      lines(.pause(executing: 2, unstarted: 0)) == [
        "paused: nothing begins until 'opool unpause'", "2 execute, and go on to their end",
      ]
    )
    #expect(!SteeringReport(.pause(executing: 0, unstarted: 1)).isComplete)
    #expect(lines(.unpause(after: 61_000_000_000)) == ["unpaused, after 61.0 s"])
    #expect(lines(.unpause(after: nil)) == ["it was not paused by 'opool pause'"])
  }

  @Test("each report is JSON, too")
  func json() {
    func text(_ result: SteeringReport.Result) -> String {
      String(decoding: SteeringReport(result, notes: ["n"]).text(asJSON: true), as: UTF8.self)
    }
    let start = #"{"type":"steering","action":"#
    #expect(
      text(.cancel([target("a", [.cancelled: 1])], skipped: 2, pending: 2)) == start
        + #""cancel","complete":true,"targets":[{"id":"a","cancelled":1,"open":0}],"#
        + #""skipped":2,"notes":["n"]}"# + "\n"
    )
    #expect(
      text(.scale(to: 4, from: 2, executing: 1)) == start
        + #""scale","complete":true,"width":4,"before":2,"executing":1,"notes":["n"]}"# + "\n"
    )
    #expect(
      text(.pause(executing: 1, unstarted: 2)) == start
        + #""pause","complete":false,"executing":1,"beginning":2,"notes":["n"]}"# + "\n"
    )
    #expect(
      text(.unpause(after: nil)) == start
        + #""unpause","complete":true,"paused":null,"notes":["n"]}"# + "\n"
    )
  }
}
