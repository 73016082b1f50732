import PoolTestSupport
import Testing

/// Results that go where outputs go.
@Suite("Results in a stream")
struct ResultsStreamTests {
  /// What was there stays, and each line of results is whole and behind its output.
  @Test(
    "Results in the standard output come behind their outputs, and overwrite nothing",
    arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"]
  )
  func stdout(_ name: String) throws {
    let run = try Opool.shell(
      """
      { echo before; opool map -q -j1 --results \(name) 'seq 3000; echo of {}' ::: a b; echo after; } >out
      cut -c1-9 out | grep -v '^[0-9]'; grep -c '^{.*}$' out; ls
      """
    ).run()
    run.expect("before\nof a\n{\"id\":\"1\"\nof b\n{\"id\":\"2\"\nafter\n2\nout\n")
  }

  @Test("Results in the standard error overwrite nothing", arguments: ["/dev/stderr", "/dev/fd/2"])
  func stderr(_ name: String) throws {
    try Opool.shell(
      "{ echo before; opool map -q --results \(name) 'echo out; : {}' ::: a; } 2>err >&2; cut -c1-9 err"
    ).run().expect("before\nout\n{\"id\":\"1\"\n")
  }

  @Test("Results in another descriptor of the caller's go on behind what is there")
  func descriptor() throws {
    try Opool.shell(
      "{ echo before >&3; opool map -q --results /dev/fd/3 'true {}' ::: a; } 3>f; cut -c1-9 f"
    ).run().expect("before\n{\"id\":\"1\"\n")
    try Opool.shell("opool map -q --journal j --results /dev/fd/3 'true {}' ::: a").run()
      .expect("", stderr: "opool: /dev/fd/3: Bad file descriptor\n", exit: 5)
  }

  @Test("A pipe and its reader get every line")
  func pipe() throws {
    try Opool.shell(
      "mkfifo p; cat p >copy & opool map -q --results p 'true {}' ::: $(seq 300); wait; wc -l <copy"
    ).run().expect("300\n")
  }

  @Test("Results that a full disk refuses are named once they are in the standard output")
  func full() throws {
    try Opool.shell("opool map -q --results - 'true {}' ::: a >/dev/full").run()
      .expect("", stderr: "opool: standard output: No space left on device\n", exit: 5)
  }
}
