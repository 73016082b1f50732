import PoolTestSupport
import Testing

/// Contract: workers behind a relay are workers like others: what ends one hits no neighbour, and
/// the relay's end is that of a connection.
@Suite("Relays", .timeLimit(.minutes(5)))
struct RelayTests {
  /// Runs a manifest of shell lines over a relay with four slots; each start of it is counted.
  private func run(_ lines: [String], _ options: String...) throws -> OpoolRun {
    let manifest = lines.enumerated().map { place, line in
      #"{"id": "\#(place)", "shell": "\#(line)"}"#
    }
    let worker = "1:echo >> starts; exec opool-worker --slots=4"
    return try Opool(
      ["run", "-q", "--results", "results", "--lease", "5s", "--worker", worker] + options + ["-"]
    ).stdin(manifest.joined(separator: "\n")).run()
  }

  /// A shell line that ends when four operations execute it at once.
  private static func together(_ id: Int) -> String {
    "> at.\(id); until [ $(ls at.* | wc -l) = 4 ]; do sleep 0.01; done; "
  }

  private func starts(_ run: OpoolRun) -> Int { run.folder.bytes(of: "starts").count }

  @Test("One connection serves as many operations at once as the relay has slots")
  func slots() throws {
    let run = try run((0..<4).map { Self.together($0) + "echo $OPOOL_SLOT" })
    let lines = run.stdout.split(separator: "\n").sorted()
    #expect(lines == ["1", "2", "3", "4"])
    #expect(starts(run) == 1)
  }

  @Test(
    "A worker that is killed costs its own operation at once, and the others nothing",
    arguments: ["$PPID", "$(ps -o ppid= $PPID)", "$PPID $(ps -o ppid= $PPID)"]
  )
  func killed(_ victims: String) throws {
    let lines = (0..<4).map { id in
      Self.together(id)
        + (id == 2
          ? "kill -9 \(victims); sleep 1000"
          : "until grep -q '2.*lost' results; do sleep 0.01; done; echo \(id) $OPOOL_ATTEMPT")
    }
    let run = try run(lines + ["echo 4 $OPOOL_ATTEMPT"]).expect(exit: 1)
    #expect(run.stdout.split(separator: "\n").sorted() == ["0 1", "1 1", "3 1", "4 1"])
    #expect(try run.resultsByID()["2"]?.ending == "lost workerDied")
    #expect(starts(run) == 1)
  }

  @Test(
    "A relay that is killed is a broken connection: what it had may have begun, and goes on anew"
  )
  func broken() throws {
    let relay = "$(ps -o ppid= $(ps -o ppid= $PPID))"
    let lines = (0..<4).map { id in
      "[ $OPOOL_ATTEMPT = 2 ] || { \(Self.together(id)) [ \(id) != 2 ] || kill -9 \(relay); "
        + "sleep 1000; }; echo \(id) $OPOOL_ATTEMPT"
    }
    let run = try run(lines, "--retries", "1", "--retry-delay", "0").expect(exit: 0)
    #expect(run.stdout.split(separator: "\n").sorted() == ["0 2", "1 2", "2 2", "3 2"])
    #expect(starts(run) == 2)
  }

  @Test(
    "A run that ends leaves nothing behind a relay, however it ends",
    arguments: ["TERM", "KILL"]
  )
  func ended(_ signal: String) throws {
    let script = """
      opool map --worker '1:opool-worker --slots=3' 'echo $$ >> pids; exec sleep 1000 {}' ::: 1 2 3 &
      until [ "$(cat pids 2>/dev/null | wc -l)" = 3 ]; do sleep 0.01; done
      kill -\(signal) $!; wait $!
      for pid in $(cat pids); do while kill -0 $pid 2>/dev/null; do sleep 0.01; done; done
      echo gone
      """
    try Opool.shell(script).run().expect("gone\n")
  }

  /// In place of ssh: executes the line here, as the login shell of the host would.
  private static let ssh = """
    #!/bin/sh
    while [ "${1#-}" != "$1" ]; do [ "$1" = -T ] || shift; shift; done
    echo "$1" >>hosts; host=$1; shift
    case $host in
      refused) [ "$(grep -c refused hosts)" -gt 2 ] || { echo 'Connection refused' >&2; exit 255; } ;;
      banner) echo 'Welcome to banner' ;;
      gone) exit 255 ;;
    esac
    exec sh -c "$*"

    """

  private func withHosts(_ script: String) throws -> OpoolRun {
    try Opool.shell("chmod +x ssh; PATH=$PWD:$PATH; export PATH; \(script)")
      .file("ssh", Self.ssh).run()
  }

  @Test("-S executes commands on hosts and here, over one connection each, though some are refused")
  func hosts() throws {
    let run = try withHosts(
      """
      opool map -q -S 3/refused,2/banner,1/: --lease 5s \\
        '> at.{}; until [ $(ls at.* | wc -l) -ge 6 ]; do sleep 0.01; done; echo {}' \\
        ::: 1 2 3 4 5 6 | sort | tr '\\n' ' '
      sort hosts | uniq -c | tr -s ' ' | tr '\\n' ';'
      """
    )
    run.expect("1 2 3 4 5 6  1 banner; 3 refused;")
  }

  @Test("-S of hosts that are all out of reach ends the run, and says which and why")
  func gone() throws {
    try withHosts("opool map -q -S 2/gone echo ::: 1").expect("", exit: 4)
      .says("-S 2/gone: workers cannot be kept alive").says("exited with code 255")
  }

  @Test("doctor HOST has the host report on itself, and says why it cannot")
  func doctor() throws {
    let run = try withHosts(
      """
      opool doctor box | grep -c 'commands can be executed'; opool doctor --json box | wc -l
      opool doctor gone; echo $?; opool doctor box other; echo $?
      """
    )
    run.expect("1\n1\n4\n2\n").says("ssh does not reach gone without a password")
      .says("opool doctor takes no such argument: 'other'")
  }

  @Test("--env and --init set up the hosts of -S, and a line that fails is told")
  func setup() throws {
    let run = try withHosts(
      """
      A='it'\\''s $HOME \\ "!" `id` %s
      A'; export A
      opool map -q -S 1/box --env A --init 'B="b c"; export B' 'printf "%s|%s|{}\\n" "$A" "$B"' ::: 1
      opool map -q -S 1/box --init 'no-such-module load x' echo ::: 1; echo $?
      opool map -q -S 1/box --env NO_SUCH echo ::: 1; echo $?
      """
    )
    run.expect("it's $HOME \\ \"!\" `id` %s\nA|b c|1\n4\n2\n").says(
      "the line of --init has failed there"
    )
    .says("--env: there is no variable 'NO_SUCH' here")
  }

  @Test("A host that is none ends the run before anything starts")
  func malformed() throws {
    for list in ["", "a,,b", "0/a", "1025/a", "-x", "a;b", "x/a", "@/a", "@g"] {
      let script = "opool map -S '\(list)' echo ::: 1; code=$?; test ! -e hosts && exit $code"
      try withHosts(script).expect("", exit: 2).says("--sshlogin needs hosts that ssh reaches")
    }
  }

  @Test("A relay behind a relay is refused, and ends the run")
  func nested() throws {
    let worker = "1:opool-worker --slots=2 -- opool-worker --slots=2"
    try Opool("map", "-q", "--worker", worker, "echo", ":::", "1").run().expect("", exit: 4)
      .says("sent the greeting of a relay from behind a relay")
  }

  @Test("Relays that are replaced leave no descriptor, and one that was not needed ends")
  func replaced() throws {
    let script = """
      (ulimit -n 128; opool map -q --results r --worker '1:opool-worker --slots=1' \
        'kill -9 $PPID; sleep 1000; echo {}' ::: $(seq 60)); grep -c '"outcome":"lost"' r
      opool map -q --worker 1:opool-worker --worker '1:sleep 1; exec opool-worker --slots=2' \
        'echo {}' ::: 1
      """
    try Opool.shell(script).run().expect("60\n1\n")
  }

  @Test("Outputs of several megabytes come whole and in order, beside one that nobody ends")
  func outputs() throws {
    let script = """
      opool map -k --worker '1:opool-worker --slots=4' \\
        'head -c 3000000 /dev/zero | tr "\\0" {}; echo' ::: a b c d e f | cksum >one
      for letter in a b c d e f; do head -c 3000000 /dev/zero | tr '\\0' $letter; echo; done | cksum >two
      cmp one two && echo same
      """
    try Opool.shell(script).run().expect("same\n")
  }

  @Test("Workers of other programs, started by a command, are guarded and told like others")
  func foreign() throws {
    let script = """
      echo '{"kind": "echo", "payload": 1}' >m
      for n in 1 2 3 4 5; do cat m; done >five
      opool run -q --results r --worker '1:opool-worker --slots=2 -- env OPOOL_WORKER=1 test-worker' five
      grep -c succeeded r
      opool run -q --worker '1:opool-worker --slots=2 -- no-such-worker' m
      """
    try Opool.shell(script).run().expect("5\n", exit: 4).says("no-such-worker")
  }

  @Test("A worker program of the library is a relay of itself where its arguments ask for it")
  func typed() throws {
    let script = """
      for n in 1 2 3 4; do echo '{"kind": "echo", "payload": 1}'; done >m
      opool run -q --results r --worker '1:echo >> starts; OPOOL_WORKER=1 exec test-worker --slots=2' m
      grep -c succeeded r; wc -l <starts
      """
    try Opool.shell(script).run().expect("4\n1\n")
  }
}
