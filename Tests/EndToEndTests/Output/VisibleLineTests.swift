import PoolModel
import PoolTestSupport
import Testing

/// Contract: what the terminal says of the progress is there, and is so.
@Suite("The progress beside outputs", .serialized)
struct VisibleLineTests {
  /// Other work on the machine delays what is drawn, and the look at it: one of three runs counts,
  /// and in one that took much longer than usual, counts may be a second old.
  private func expectRight(usual: Int, _ start: () throws -> OpoolOnTerminal) throws {
    var faults: [String] = []
    while faults.count < 3 {
      let run = try start()
      let log = try EventLog(try run.wait().folder.bytes(of: "events"))
      var watch = ProgressWatch(run.terminal, log)
      #expect(watch.total * 3 >= usual * 2)
      if watch.total * 100 > usual * 115 {
        watch = ProgressWatch(run.terminal, log, delay: .seconds(1))
      }
      if watch.right * 100 >= watch.total * 98 { return }
      faults.append("\(watch.right) of \(watch.total) ms; \(watch.firstFault ?? "")")
    }
    Issue.record("\(faults)")
  }

  @Test(
    "is on the screen, with the right counts, while outputs come several times a second",
    arguments: ["block", "line"]
  )
  func outputs(_ style: String) throws {
    let inputs = (1...60).map(String.init).joined(separator: " ")
    let script =
      "exec opool map --progress=\(style) --events events -j2 'sleep 0.15; echo {}' ::: \(inputs)"
    try expectRight(usual: 4_700) { try Opool.onTerminal(script) }
  }

  /// Many short operations, dependencies, groups, limits, and failures that are tried again.
  @Test("is right in a run with dependencies, limits and retries")
  func graph() throws {
    var lines: [String] = []
    for sample in 1...12 {
      lines += [
        #"{"id":"\#(sample)/fetch","shell":"sleep 0.1; echo done","limit":{"net":1},"group":"f"}"#,
        #"{"id":"\#(sample)/check","shell":"test -e \#(sample) || { > \#(sample); exit 1; }","#
          + #""retries":1,"after":["\#(sample)/fetch"]}"#,
        #"{"id":"\#(sample)/align","shell":"sleep 0.3; echo done >&2","after":["\#(sample)/check"]}"#,
      ]
    }
    try expectRight(usual: 3_000) {
      let opool = try Opool.shell("").environment("TERM", "xterm")
        .file("work", lines.joined(separator: "\n"))
      return try OpoolOnTerminal(opool, script: "exec opool run --events events -j2 work")
    }
  }
}
