import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// Contract: starts are held back as the user says, and nothing is lost by it.
@Suite("Starts")
struct StartOptionTests {
  /// When operations began, in seconds since the run did, in that order.
  private func starts(in run: OpoolRun) throws -> [Double] {
    try run.results().compactMap(\.started).sorted()
  }

  /// The times between neighbours.
  private func gaps(_ times: [Double]) -> [Double] { zip(times.dropFirst(), times).map { $0 - $1 } }

  @Test("--delay keeps all starts apart, also of operations that would be prefetched")
  func delay() throws {
    // The results have the time at which a start was heard of, which may be late.
    let run = try Opool(
      [
        "map", "-q", "-j4", "--delay", "1", "--results", "results", "true", ":::", "1", "2", "3",
        "4",
      ]
    ).run().expect("", stderr: "")
    let gaps = gaps(try starts(in: run))
    #expect(gaps.count == 3)
    #expect(gaps.allSatisfy { $0 >= 0.5 }, "\(gaps)")
  }

  @Test("after a pause there is no burst")
  func burst() throws {
    let run = try Opool.shell(
      """
      mkfifo go; exec 3<>go
      { printf '1\\n'; read x <&3; printf '2\\n3\\n'; } |
        opool map -q -j4 --delay 1 --results results '[ {} = 1 ] && sleep 2.5 && echo >go; :'
      """
    ).run().expect("", stderr: "")
    #expect(gaps(try starts(in: run)).allSatisfy { $0 >= 0.5 })
  }

  @Test("a retry waits at least as long as was said")
  func retryDelay() throws {
    let run = try Opool(
      "map",
      "-q",
      "--retries",
      "1",
      "--retry-delay",
      "300ms",
      "--results",
      "results",
      "date +%s%N >> times; false",
      ":::",
      "1"
    ).run().expect("", exit: 1)
    let times = run.folder.text(of: "times").split(separator: "\n").compactMap { Double($0) }
    #expect(times.count == 2)
    #expect((times.last ?? 0) - (times.first ?? 0) >= 0.3e9)
  }

  @Test("--load holds everything back, says so once, and the run can be ended")
  func load() throws {
    try Opool("map", "--load", "0.000001", "--deadline", "700ms", "echo", ":::", "1", "2").run()
      .expect("", exit: 124).says("opool: nothing starts: the load is ")
  }

  @Test("a load that is not reached holds nothing back")
  func loadRoom() throws {
    try Opool("map", "-q", "-k", "--load", "100000%", "echo", ":::", "1", "2", "3").run()
      .expect("1\n2\n3\n", stderr: "")
  }

  @Test("the latest starts count towards the load")
  func latestStarts() throws {
    // The load average could not tell of them yet.
    let run = try Opool.shell(
      """
      read load rest < /proc/loadavg
      opool map -q -j30 --load $((${load%.*} + 3)) --deadline 3s 'echo {} >> log; sleep 9' ::: $(seq 30)
      """
    ).run()
    #expect(run.folder.text(of: "log").split(separator: "\n").count < 10)
    #expect(run.status == .exited(124))
  }

  @Test("--memfree holds everything back while less is available")
  func memory() throws {
    try Opool("map", "--memfree", "900P", "--deadline", "700ms", "echo", ":::", "1").run()
      .expect("", exit: 124).says("of memory are available, and --memfree wants 900.0 PiB")
    try Opool("map", "-q", "--memfree", "1M", "echo", ":::", "1").run().expect("1\n", stderr: "")
  }

  @Test("held-back operations do not outlive an interruption, and are executed by a resumed run")
  func interruption() throws {
    let run = try Opool.shell(
      """
      \(Opool.interruptible) opool map -q -j2 --delay 1h --journal j \
        'echo {}; until [ -s pid ]; do :; done; kill -INT $(cat pid)' \
        ::: 1 2 3 4 &
      echo $! > pid; wait $!; echo "exit $?"
      opool map -q -k --journal j --resume-failed 'echo {}; true $(cat pid)' ::: x
      """
    ).run()
    #expect(run.stdout.contains("exit 130"), "\(run.stdout) \(run.stderr)")
    run.expectNothingLeft()
  }

  @Test("-j as an offset, a share, and as much as the system allows")
  func widths() throws {
    for (width, text) in [("+1", "-j: "), ("-100", "-j: 1 at once"), ("50%", "-j: ")] {
      try Opool("map", "-v", "-j", width, "true", ":::", "1").run().expect("").says(
        "opool: " + text
      )
    }
    let run = try Opool.shell(
      "ulimit -n 64; opool map -v -j0 true ::: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
    ).run().expect("")
    run.says("opool: -j 0: 10 at once: the limit of 64 descriptors allows no more (ulimit -n)\n")
  }

  @Test("a file says the width, and is read again: wider and narrower, and nothing is lost")
  func widthFile() throws {
    // Operation 1 waits until three execute beside it; then the file says 1, and no two begin.
    let run = try Opool.shell(
      """
      echo 1 > jobs; mkdir on; mkfifo go; exec 3<>go
      seq 120 | opool map -v --jobs jobs '
        touch on/{}; ls on | wc -l >> counts
        case {} in 1) echo 4 > jobs.new; mv jobs.new jobs; read x <&3 ;;
        4) echo 1 > jobs.new; mv jobs.new jobs; sleep 0.6; echo >&3 ;; 2|3) until grep -q 4 counts; do sleep 0.01; done ;; *) sleep 0.02 ;; esac
        rm on/{}; echo {}' 3<>go 2> log
      """
    ).run()
    #expect(run.stdout.split(separator: "\n").count == 120, "\(run.stdout)")
    let log = run.folder.text(of: "log")
    #expect(log.contains("opool: -j: 1 at once, as jobs says\n"))
    #expect(log.contains("opool: -j: 4 at once, as jobs says\n"))
    let counts = run.folder.text(of: "counts").split(whereSeparator: \.isWhitespace)
      .compactMap { Int($0) }
    #expect(counts.max() == 4)
    #expect(counts.suffix(30).allSatisfy { $0 == 1 }, "\(counts)")
  }

  @Test("a file that says no width any more changes nothing, and that is said")
  func lostWidthFile() throws {
    let run = try Opool.shell(
      """
      echo 2 > jobs
      opool map -k -j ./jobs 'rm -f jobs; [ {} = 1 ] && sleep 0.6; echo {}' ::: 1 2 3
      """
    ).run().expect("1\n2\n3\n")
    run.says("opool: -j: ./jobs: No such file or directory; 2 at once as before\n")
  }

  /// A second look would wait for a writer that never comes.
  @Test(
    "the number of -j is read from a pipe once, whatever needs it",
    arguments: ["sleep 0.3; echo {}", "-X sleep 0.3; echo", "--pipe -N1 sleep 0.3; cat"]
  )
  func widthPipe(_ words: String) throws {
    let parts = words.split(separator: " ").map(String.init)
    let start = parts.lastIndex(of: "sleep") ?? 0
    let options = parts[..<start].joined(separator: " ")
    let command = parts[start...].joined(separator: " ")
    try Opool.shell(
      """
      mkfifo jobs; echo 2 >jobs & seq 4 | opool map -q -k -j jobs \(options) '\(command)'; echo $?
      """
    ).run().expect(options == "-X" ? "1 2\n3 4\n0\n" : "1\n2\n3\n4\n0\n")
  }

  @Test("a width file that becomes a pipe changes nothing, and nothing waits for it")
  func widthFileToPipe() throws {
    let run = try Opool.shell(
      """
      echo 1 > jobs
      opool map -k -j jobs '[ {} = 1 ] && { rm jobs; mkfifo jobs; sleep 0.6; }; echo {}' ::: 1 2 3
      """
    ).run().expect("1\n2\n3\n")
    run.says("opool: -j: jobs: not a regular file any more; 1 at once as before\n")
  }

  @Test("--nice and --wd hold for commands, and not for what has its own")
  func defaults() throws {
    try Opool.shell(
      """
      mkdir -p a/b
      opool map -q --nice 7 --wd a 'nice; pwd | sed "s,.*/,,"; : {}' ::: 1
      echo '{"shell":"nice; pwd | sed s,.*/,,","cwd":"b"}' | opool run -q --nice 3 --wd a
      cd a; opool map -q --wd .. 'ls -d' ::: a
      """
    ).run().expect("7\na\n3\nb\na\n", stderr: "")
  }

  @Test("how a command executes, and with --same-folder where, makes it no other for a journal")
  func resumedDefaults() throws {
    try Opool.shell(
      """
      opool map -q --journal j echo ::: 1
      opool map -q --journal j --resume --same-folder --nice 5 --wd / --delay 1h echo ::: 1
      """
    ).run().expect("1\n", stderr: "")
  }

  @Test("--tmpdir is where temporary files lie, and what commands see")
  func temporaryFolder() throws {
    try Opool.shell(
      """
      mkdir t; echo 'echo $TMPDIR | grep -c ^/.*/t$
      # More than its pipe and its worker hold: the worker has a file for it.
      head -c 3000000 /dev/zero >&2; readlink /proc/$PPID/fd/* 2>/dev/null | grep -q /t/ && echo "$1"' > look
      opool map -q --tmpdir t sh look ::: file 2> large; wc -c < large
      """
    ).run().expect("1\nfile\n3000000\n", stderr: "")
  }

  @Test("--shuf executes everything once, in an order that the seed repeats")
  func shuffle() throws {
    let run = try Opool.shell(
      """
      seq 100 > in
      opool map -q -j1 --shuf --seed 7 echo < in > a
      opool map -q -j1 --shuf --seed 7 echo < in > b
      opool map -q -j1 --shuf --seed 8 echo < in > c
      opool map --dry-run --shuf --seed 7 echo < in | cut -f2 | head -100 > d
      opool map -q -k -j1 --shuf --seed 7 echo < in > e
      opool map -v --shuf true ::: 1 2>&1 | grep -o 'shuf: the seed is [0-9]*'
      cmp a b && cmp a d && cmp e in; cmp -s a c || echo differ
      sort -n a | cmp - in
      """
    ).run()
    run.expect(stderr: "")
    #expect(run.stdout.wholeMatch(of: /shuf: the seed is [0-9]+\ndiffer\n/) != nil, "\(run.stdout)")
  }

  @Test("a shuffled run goes on in a resumed one")
  func resumedShuffle() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --shuf --journal j --halt soon,done=2 'echo {}' ::: 1 2 3 4 5 6 > a
      opool map -q -j1 --shuf --journal j --resume 'echo {}' ::: 1 2 3 4 5 6 > b
      cat a b | sort | tr -d '\\n'
      """
    ).run()
    run.expect("123456", stderr: "")
    #expect(!run.folder.text(of: "b").isEmpty)
  }

  @Test(
    "what makes no sense is refused, and names the option",
    arguments: [
      (["--delay", "soon"], "--delay needs a time: 'soon'\n       for example 5, 0.5, 500ms"),
      (["--delay", "-1"], "--delay needs a time: '-1'"),
      (["--load", "0"], "--load needs a load average above 0, such as 4, 80% or +1: '0'"),
      (["--memfree", "much"], "--memfree needs a number of bytes, such as 500000, 512M or 2G"),
      (["--nice", "20"], "--nice needs a whole number from 0 to 19: '20'"),
      (["--wd", "nowhere"], "--wd: nowhere: No such file or directory"),
      (["--wd", ".stdin"], "--wd: .stdin: Not a directory"),
      (["--tmpdir", "nowhere"], "--tmpdir: nowhere: No such file or directory"),
      (["--shuf", "--order", "critical-path"], "--shuf and --order critical-path are two orders"),
      (
        ["-j", "10001"],
        "--jobs needs a number up to 10000, 0, +N, -N, N% or a file"
      ),
      (["-j", "none"], "-j: none: No such file or directory"),
      (["-j", "/dev/null"], "-j: /dev/null: its first line is not a number up to 10000, 0, +N"),
    ]
  )
  func refused(_ options: [String], _ message: String) throws {
    try Opool(["map"] + options + ["echo", ":::", "1"]).run().expect("", exit: 2)
      .says("opool: " + message)
  }
}
