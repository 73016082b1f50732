import PoolTestSupport
import Testing

/// Workers that nothing proves to be on this machine: what they had in hand when their link ended
/// may have begun.
@Suite("Links")
struct LinkTests {
  /// Greets, takes an operation without a word, and is gone; the next one is a standard worker.
  ///
  /// A link that is cut looks so: the far side goes on, and its words do not come back.
  private static let cutOnce = #"""
    test -e cut && exec opool-worker
    > cut
    printf 'OPOOL-WORKER 1\n\000\000\000\064{"type":"hello","versions":[1],"kinds":["command"]}\n'
    head -c 200 > taken

    """#

  private func run(_ options: String..., manifest: String? = nil) throws -> OpoolRun {
    try Opool(["run", "-q", "--results", "results", "--worker", "1:sh cut-once"] + options + ["-"])
      .file("cut-once", Self.cutOnce)
      .stdin(manifest ?? #"{"id": "a", "shell": "echo $OPOOL_ATTEMPT"}"#).run()
  }

  private static let message = """
    opool: worker 1 (pid P) exited with code 0; of what it was sent, 1 operation may have begun

    """

  @Test("what may have begun is lost, has spent an attempt, and is counted in a message")
  func doubt() throws {
    let run = try run().expect("", exit: 1).says(Self.message)
    let result = try #require(run.resultsByID()["a"])
    #expect(result.ending == "lost mayHaveBegun" && result.attempt == 1)
    // The link had carried it.
    #expect(String(decoding: run.folder.bytes(of: "taken"), as: UTF8.self).contains("execute"))
  }

  @Test("a retry repeats it as the second attempt")
  func retry() throws {
    try run("--retries", "1", "--retry-delay", "0", "--retry-on", "workerDied").expect("2\n")
      .says(Self.message)
  }

  @Test("an idempotent operation is repeated as the second attempt, without a retry")
  func idempotent() throws {
    try run("--idempotent").expect("2\n").says(Self.message)
    let line = #"{"id": "a", "shell": "echo $OPOOL_ATTEMPT", "idempotent": true}"#
    try run(manifest: line).expect("2\n").says(Self.message)
    try run(manifest: line.replacing("true", with: "false")).expect("", exit: 1).says(Self.message)
  }

  /// Behind it, operations are prefetched; none of them is in doubt, though the worker is killed.
  @Test("a worker of this machine proves its place, though a command of the user's starts it")
  func proved() throws {
    let manifest =
      (1...200).map { #"{"id": "\#($0)", "shell": "true"}"# } + [
        #"{"id": "kill", "shell": "kill -9 $PPID"}"#
      ] + (1...200).map { #"{"id": "x\#($0)", "shell": "true"}"# }
    let run = try Opool("run", "-q", "--results", "results", "--worker", "1:opool-worker", "-")
      .stdin(manifest.joined(separator: "\n")).run().expect("", exit: 1)
    let endings = try run.results().map(\.ending)
    #expect(endings.count { $0 == "succeeded" } == 400)
    #expect(endings.contains("lost workerDied"))
  }

  @Test("a run begins with the first host that greets")
  func slowest() throws {
    let options = [
      "--worker", "1:opool-worker", "--worker", "1:cat go > /dev/null; exec opool-worker",
    ]
    let line = #"{"shell": "echo at once; echo > go"}"#
    try Opool.shell(
      "mkfifo go; exec opool run -q \(options.map { "'\($0)'" }.joined(separator: " ")) -"
    )
    .stdin(line).run().expect("at once\n")
  }

  /// A standard worker that proves nothing: it does not name the capability `outbox`.
  private static let unproved = "1:opool-worker | LC_ALL=C sed -u s/outbox/nobox_/"

  @Test(
    "a command is ended by the worker behind a link when its time is over, with the same result"
  )
  func timeout() throws {
    let line = #"{"id": "a", "shell": "echo begun; exec sleep 1000", "timeout": 0.2}"#
    for worker in [Self.unproved, "1:opool-worker"] {
      let run = try Opool("run", "-q", "--results", "results", "--worker", worker, "-").stdin(line)
        .run().expect("begun\n", exit: 1)
      let result = try #require(run.resultsByID()["a"])
      #expect(result.ending == "timedOut timeout 15", "\(worker)")
    }
  }

  /// As when a job of Slurm is cancelled: all its processes get the signal at once.
  @Test("a signal to a worker and its command alike is not the command's failure")
  func outside() throws {
    let options = ["--results", "results", "--lease", "5s", "--worker", Self.unproved]
    let run = try Opool(["run", "-q"] + options + ["-"])
      .stdin(
        #"{"id": "a", "shell": "kill -TERM $PPID $$"}"#
      ).run().expect("", exit: 1)
    #expect(try run.resultsByID()["a"]?.ending == "lost workerDied")
  }

  /// A run whose only worker is behind a filter that can be stopped, as a link is cut.
  ///
  /// Then what the worker says no longer arrives. Each attempt of its one command writes without
  /// end, and the second one says whether the first still does.
  private func cut(_ script: String) throws -> Opool {
    let command = """
      case $OPOOL_ATTEMPT in
      2) a=$(wc -l < log); sleep 0.3; [ $a = $(wc -l < log) ] && echo alone; exit;;
      esac
      while :; do echo x >> log; sleep 0.02; done
      """.replacing("\n", with: "\\n")
    return try Opool.shell(
      """
      run='opool run --lease 5s --journal j'
      far='1:opool-worker | sh filter'
      cut() { until [ -s log ]; do sleep 0.02; done; kill -STOP $(cat filter.pid); }
      \(script)
      """
    )
    .file("filter", "echo $$ > filter.pid; LC_ALL=C exec sed -u s/outbox/nobox_/\n")
    .file("m", #"{"id": "a", "retries": 1, "retryDelay": 0, "shell": "\#(command)"}"# + "\n")
  }

  @Test("what a link had in hand has ended there before it begins again")
  func lease() async throws {
    let opool = try cut("$run -q --worker \"$far\" m & cut; wait $!")
    try await Blocking.run { try opool.run().expect("alone\n") }
  }

  /// The resumed run has workers of this machine only.
  @Test("a resumed run begins nothing that may still execute elsewhere")
  func resumed() async throws {
    let script = """
      $run -q --worker "$far" m & cut; kill -KILL $! $(cat filter.pid)
      start=$(date +%s); $run --resume m; echo $? $(($(date +%s) - start >= 6))
      """
    let opool = try cut(script)
    let run = try await Blocking.run { try opool.run() }
    run.expect("alone\n0 1\n")
      .says(
        "opool: j: 1 operation may still be executed on other machines, where the run before had "
          + "sent them: what this run executes of them begins after 7 s"
      )
  }
}
