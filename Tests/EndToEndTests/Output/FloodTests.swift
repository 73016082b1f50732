import PoolTestSupport
import Testing

/// Workers that write more than is read.
@Suite("Floods of remarks")
struct FloodTests {
  private static let worker = "--worker '1:env OPOOL_WORKER=1 test-worker'"
  /// The pipe `p` is open and not read until the program has stood still for a while.
  private static let untilStill = """
    until ticks=$(cut -d' ' -f14,15 /proc/$pid/stat) && sleep 2.5 &&
      [ "$ticks" = "$(cut -d' ' -f14,15 /proc/$pid/stat)" ]; do :; done
    """

  /// The worker waits meanwhile: its silence is not held against it.
  ///
  /// For its time see `UnreadScenarios`.
  @Test(
    "A worker that says 300,000 lines to a reader who comes late is held back, and all come",
    arguments: ["chatter", "lament"]
  )
  func lateReader(_ kind: String) throws {
    let run = try Opool.shell(
      """
      mkfifo p; exec 7<>p
      opool run --heartbeat 1 --timeout 600 \(Self.worker) m 2>p & pid=$!
      \(Self.untilStill)
      awk '/VmHWM/ { print ($2 < 150000) }' /proc/$pid/status
      exec 8<p 7<&-
      grep -c 'line [0-9]*$' <&8; wait $pid; echo $?
      """
    ).file("m", #"{"id":"a","kind":"\#(kind)","payload":300000}"#).run()
    run.expect("1\n300000\n0\n")
  }

  @Test("A worker that waits for a reader is ended with the run")
  func ended() throws {
    let run = try Opool.shell(
      """
      mkfifo p; exec 7<>p
      opool run --results r --deadline 1 --term-seq MESSAGE,100,KILL \(Self.worker) m 2>p; echo $?
      """
    ).file("m", #"{"id":"a","kind":"chatter","payload":300000}"#).run().expect("124\n")
    #expect(try run.results("r").map(\.outcome) == ["cancelled"])
  }
}
