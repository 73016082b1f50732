import PoolTestSupport
import Testing

/// Contract: a result that is too large for a record is kept beside the journal until the results
/// have it; however the run ends, the results have it once, and whole.
@Suite("Large results and a journal", .needsPython, .timeLimit(.minutes(10)))
struct LargeResultTests {
  /// Answers `value` with 20 MB, as bytes, and leaves a line in `ran`; with the name of a signal as
  /// the payload, sends that to the coordinator, once, and after the end of the pipe `go` if there
  /// is one.
  private static let worker = #"""
    import os, signal, struct, sys
    sys.path.append(os.environ["REPOSITORY"] + "/Scripts/verify/crash")
    from frames import attachment, frame, receive, send
    size = 20_000_000
    value = (struct.pack("<BBHIQ", 0, 1, 0, 1, 4) + struct.pack("<QQBBB5x", 0, size, 4, 1, 0)
             + b"null" + b"{" * size)

    def status(pid):
        with open("/proc/%d/status" % pid) as lines:
            return dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)

    def coordinator():
        pid = os.getppid()
        while status(pid)["Name"] != "opool": pid = int(status(pid)["PPid"])
        return pid

    send(b"OPOOL-WORKER 1\n" + frame(type="hello", versions=[1], pid=os.getpid(), kinds=["k"],
                                      capabilities=["attachments"]))
    while True:
        message = receive()
        if message["type"] != "execute": continue
        names = {key: message[key] for key in ("operation", "dispatch")}
        send(frame(type="executing", **names))
        if message["payload"] == "value":
            print("value", file=open("ran", "a"))
            send(attachment(value) + frame(type="finished", **names, packed=True))
            continue
        if not os.path.exists("once"):
            open("once", "w").close()
            if os.path.exists("go"): open("go").read()
            os.kill(coordinator(), signal.Signals[message["payload"]])
            receive()
        send(frame(type="finished", **names))

    """#

  /// Runs a script that calls `run`; the operation behind the value sends the signal.
  private func shell(_ signal: String, _ script: String) async throws -> OpoolRun {
    let command = try Opool.shell(
      """
      run() { opool run -q -j1 --worker '1:python3 -B w' --journal j "$@" m; }
      \(script)
      python3 -c '
      import base64, json
      values = [line["result"] for line in map(json.loads, open("r")) if line["id"] == "value"]
      print(len(values), base64.b64decode(values[0]) == b"{" * 20_000_000)'
      """
    )
    .file("w", Self.worker)
    .file(
      "m",
      """
      {"id": "value", "kind": "k", "payload": "value"}
      {"id": "end", "kind": "k", "payload": "\(signal)", "after": ["value"]}
      """
    )
    return try await Blocking.run { try command.run() }
  }

  /// Expects one line for the value, which has all of it, and nothing beside the journal.
  private func check(_ run: OpoolRun, _ codes: String) throws {
    run.expect(codes + "1 True\n")
    #expect(run.folder.text(of: "ran") == "value\n")
    #expect(try !run.folder.names().contains("j.outputs"))
  }

  @Test(
    "A run that ends behind the result has it once, and the next one adds none",
    arguments: [("SIGKILL", 137), ("SIGINT", 130)]
  )
  func ended(_ signal: String, _ code: Int) async throws {
    let run = try await shell(signal, "run --results r; echo $?; run --results r --resume; echo $?")
    try check(run, "\(code)\n0\n")
  }

  @Test("Where the results were not written, or only a part of them, the next run writes them")
  func unwritten() async throws {
    let full = try await shell(
      "SIGKILL",
      "touch once; run --results /dev/full; echo $?; run --results r --resume; echo $?"
    )
    try check(full, "5\n0\n")
    full.says("opool: /dev/full: No space left on device\n")
    let unread = try await shell(
      "SIGKILL",
      """
      mkfifo f go; run --results f & exec 9<f; head -c 1000000 <&9 >first; : >go; wait $!; echo $?
      exec 9<&-; run --results r --resume; echo $?
      """
    )
    try check(unread, "137\n0\n")
  }

  /// In most runs, within the line of the result.
  @Test("Killed while the results are written, the next run completes them")
  func torn() async throws {
    let run = try await shell(
      "SIGKILL",
      """
      touch once; opool run -q -j1 --worker '1:python3 -B w' --journal j --results r m & p=$!
      until [ "$(wc -c 2>/dev/null <r || echo 0)" -gt 1000000 ]; do :; done; kill -9 $p; wait $p
      run --results r --resume; echo $?
      """
    )
    try check(run, "0\n")
  }
}
