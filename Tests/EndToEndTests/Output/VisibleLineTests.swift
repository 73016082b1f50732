import PoolTestSupport
import Testing

/// Contract: what the progress line says is there, and is so.
@Suite("The progress line beside outputs", .serialized)
struct VisibleLineTests {
  private func expectRight(_ run: OpoolOnTerminal, least: Int) throws {
    let result = try run.wait()
    let watch = ProgressWatch(run.terminal, try EventLog(result.folder.bytes(of: "events")))
    #expect(watch.total >= least)
    #expect(
      watch.right * 100 >= watch.total * 98,
      "\(watch.right) of \(watch.total) ms; \(watch.firstFault ?? "")"
    )
  }

  @Test("is on the screen, with the right counts, while outputs come several times a second")
  func outputs() throws {
    let inputs = (1...60).map(String.init).joined(separator: " ")
    let script = "exec opool map --events events -j2 'sleep 0.15; echo {}' ::: \(inputs)"
    try expectRight(try Opool.onTerminal(script), least: 3_000)
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
    let opool = try Opool.shell("").environment("TERM", "xterm")
      .file("work", lines.joined(separator: "\n"))
    let run = try OpoolOnTerminal(opool, script: "exec opool run --events events -j2 work")
    try expectRight(run, least: 1_000)
  }
}
