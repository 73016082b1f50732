import Testing

/// What a flag does, shown by a line for a shell in which files and standard input are there.
///
/// Files: `three` has the lines 1 to 3, `csv` a header and two rows, `m` a manifest of two
/// operations (`a`, and `b` after it), `bad` one whose operation `x` fails. Times are replaced by
/// `T`.
struct FlagRow: CustomTestStringConvertible, Sendable {
  /// The flags that the line uses, as the help spells them.
  var flags: [String]
  /// The line.
  var line: String
  /// What is printed.
  var stdout: String
  /// What is said; nil where other tests look at it.
  var stderr: String?
  var exit: Int32

  init(
    _ flags: String...,
    line: String,
    _ stdout: String = "",
    says stderr: String? = "",
    exit: Int32 = 0
  ) {
    self.flags = flags
    self.line = line
    self.stdout = stdout
    self.stderr = stderr
    self.exit = exit
  }

  var testDescription: String { line }
}

extension FlagRow {
  /// Rows for `opool report`, `opool status` and `opool explain`.
  static let records: [Self] = [
    Self(
      "--against",
      line: """
        opool map -q --events a true ::: 1 2; opool map -q --events b true ::: 1 2 3; \
        opool report --against a b | grep -c '1 operation of it: not in the earlier run'
        """,
      "1\n"
    ), Self("--against", line: "opool report --against m bad", says: nil, exit: 2),
    Self(
      "--html",
      line: """
        opool map -q --events e true ::: 1; opool report --html - e | head -c 15; \
        opool report --html p e; tail -c 8 p
        """,
      "<!doctype html></html>\n"
    ), Self("--html", line: "opool report --html /none/p m", says: nil, exit: 2),
    Self(
      "--trace",
      line: "opool map -q --events e true ::: 1; opool report --trace t e; grep -c '\"outcome\"' t",
      "1\n"
    ), Self("--trace", line: "opool report --trace /none/t m", says: nil, exit: 2),
    Self(
      "--omit",
      line: """
        opool map -q --events e ': ssecret' ::: 1; opool report --html p e; grep -q ssecret p; echo $?; \
        opool report --html p --omit commands,outputs e; grep -q ssecret p; echo $?
        """,
      "0\n1\n"
    ), Self("--omit", line: "opool report --omit commands m", says: nil, exit: 2),
    Self("--run", line: "opool status --run 1", says: nil, exit: 2),
    Self("--run", line: "opool status --run x", says: nil, exit: 2),
    Self("--watch", line: "opool status --watch --run 1", says: nil, exit: 2),
    Self("--json", line: "opool explain --json a --run 1", says: nil, exit: 2),
    Self("-f", line: "opool output -f a --run 1", says: nil, exit: 2),
    Self("--follow", line: "opool output --follow a --from m", says: nil, exit: 2),
    Self("--json", line: "opool cancel --json a --run 1", says: nil, exit: 2),
    Self(
      "--from",
      line: "opool map -q --events e true ::: x; opool explain --from e 1 | head -1",
      "1 (x): succeeded\n"
    ), Self("--from", line: "opool explain --from m a", says: nil, exit: 2),
    Self("--help", line: "opool report --help | grep -c Usage", "1\n"),
    Self("-h", line: "opool report -h | grep -c 'opool map'", "12\n"),
    Self("--version", line: "opool report --version | grep -c opool", "1\n"),
  ]
}

extension FlagRow {
  /// Rows for `opool check-worker`; `broken-worker` breaks nothing unless it is told to.
  static let check: [Self] = [
    Self("--kind", line: "opool check-worker --kind x -- broken-worker >o", says: nil, exit: 2),
    Self(
      "--succeeds",
      line: """
        opool check-worker --succeeds 'work:"ok"' -- broken-worker | grep '^ok .* succeeds:'
        """,
      "ok 19 - succeeds: an operation succeeds\n"
    ), Self("--succeeds", line: "opool check-worker --succeeds ok true", says: nil, exit: 2),
    Self(
      "--fails",
      line: "opool check-worker --fails '\"fail\"' broken-worker | grep ' fails: '",
      "ok 5 - fails: a failure is answered, and the worker goes on\n"
    ),
    Self(
      "--lasts",
      "--within",
      line: """
        opool check-worker --lasts '"last"' --within 1 broken-worker silentWhileExecuting |
        grep '^#   ping'
        """,
      "#   ping: fails (ping)\n"
    ), Self("--within", line: "opool check-worker --within x true", says: nil, exit: 2),
    Self(
      "--prints",
      line:
        "opool check-worker --prints '\"print\"' broken-worker strayPrint | grep -c 'not.* prints: '",
      "1\n"
    ),
    Self(
      "--cases",
      line: """
        mkdir c; cp "$REPOSITORY/Protocol/conformance/hello.json" c; \
        opool check-worker --cases c broken-worker
        """,
      """
      TAP version 14
      1..1
      ok 1 - hello: sends the magic line and hello at once
      # 1 passed, 0 failed, 0 skipped
      # minimal profile: passes
      # full profile, of the capabilities that the worker offers:
      #   prefetch: no case is about it
      #   recall: no case is about it
      #   cancel: no case is about it
      #   ping: no case is about it
      #   drain: no case is about it

      """
    ), Self("--cases", line: "opool check-worker --cases none true", says: nil, exit: 5),
    Self("--help", line: "opool check-worker --help | grep -c Usage", "1\n"),
    Self("-h", line: "opool check-worker -h | grep -c 'opool map'", "12\n"),
    Self("--version", line: "opool check-worker --version | grep -c opool", "1\n"),
  ]
}

extension FlagRow {
  /// Rows for `opool map`, and flags that both have.
  static let map: [Self] = [
    Self("-j", line: "opool map -qj1 -v echo ::: a 2>/dev/null", "a\n"),
    Self("-j", line: "opool map -q -j x echo ::: a", says: nil, exit: 2),
    Self("--jobs", line: "opool map -q --jobs 2 echo ::: a", "a\n"),
    Self("-k", line: "opool map -qk -j2 'sleep 0.{}; echo {}' ::: 3 0", "3\n0\n"),
    Self(
      "--keep-order",
      line: "opool map -q --keep-order -j2 'sleep 0.{}; echo {}' ::: 3 0",
      "3\n0\n"
    ),
    Self("--line-buffer", line: "opool map -q --line-buffer echo ::: a", "a\n"),
    Self("-u", line: "opool map -qu echo ::: a", "a\n"),
    Self("--ungroup", line: "opool map -q --ungroup 'printf {}' ::: a", "a"),
    Self("--ungroup", line: "opool map -q --ungroup -k echo ::: a", says: nil, exit: 2),
    Self("--show", line: "opool map -q --show none echo ::: a"),
    Self(
      "--show",
      line: "opool map -qk --show failed 'echo {}; exit {}' ::: 0 1 0",
      "1\n",
      says: nil,
      exit: 1
    ),
    Self("--show", line: "opool map --show some echo ::: a", says: nil, exit: 2),
    Self("--show", line: "opool map --show none -u echo ::: a", says: nil, exit: 2),
    Self(
      "--on-end",
      line:
        "opool map -q --on-end 'echo $OPOOL_EXIT_CODE $OPOOL_SUCCEEDED $OPOOL_FAILED' true ::: a b",
      says: "0 2 0\n"
    ),
    Self("--on-end", line: "opool map -q --on-end '' true ::: a", says: nil, exit: 2),
    Self("--tag", line: "opool map -qk --tag echo < three", "1\t1\n2\t2\n3\t3\n"),
    Self("--tag", line: "opool map -q --tag --results d/ echo ::: a", says: nil, exit: 2),
    Self("--tagstring", line: "opool map -q --tagstring '{#}-{}' echo ::: a", "1-a\ta\n"),
    Self("--order", line: "opool map -qk --order critical-path echo < three", "1\n2\n3\n"),
    Self(
      "--history",
      line:
        "opool map -q --journal j true ::: a; opool map -q --order critical-path --history j echo ::: a",
      "a\n"
    ),
    Self("--history", line: "opool map -q --history gone true ::: a", says: nil, exit: 2),
    Self(
      "--dry-run",
      line: "opool map --dry-run echo ::: a",
      "1\t1\techo a\nopool: 1 operation, 0 dependencies, 1 level, widest 1\n"
    ),
    Self(
      "--shell",
      line: "opool map --shell /no/such/sh 'touch e; : {}' ::: a b",
      says: "opool: --shell: /no/such/sh: No such file or directory\n",
      exit: 2
    ),
    Self(
      "--shell",
      line: "opool map -q --shell bash 'x=${BASH}; echo {} ${x##*/}' ::: a",
      "a bash\n"
    ),
    Self("--worker", line: "opool map -q --worker 1:opool-worker echo ::: a", "a\n"),
    Self("-S", line: "opool map -q -S 2/: echo ::: a", "a\n"),
    Self(
      "--env",
      line: "A=x; export A; opool map -q -S 1/: --env A 'echo {} $A' ::: a",
      "a x\n"
    ),
    Self(
      "--slurm",
      line: "env -u SLURM_JOB_ID opool map --slurm echo ::: a 2>&1 | grep -c 'no job of Slurm'",
      "1\n"
    ),
    Self("--drain-on", line: "opool map -q --drain-on USR2 echo ::: a", "a\n"),
    Self(
      "--margin",
      line: "env -u SLURM_JOB_ID opool map --margin 1m echo ::: a 2>&1 | grep -c 'no job of Slurm'",
      "1\n"
    ),
    Self("--init", line: "opool map -q -S : --init 'B=1' echo ::: a", "a\n"),
    Self("--hosts", line: "echo 2/: > h; opool map -q --hosts h echo ::: a", "a\n"),
    Self("--sshlogin", line: "opool map -q --sshlogin : echo ::: a", "a\n"),
    Self("--heartbeat", line: "opool map -q --heartbeat 9s echo ::: a", "a\n"),
    Self(
      "--chaos",
      "--seed",
      line: "opool map -q --chaos kill=50% --seed 3 --retries 30 echo < three | sort",
      "1\n2\n3\n"
    ),
    Self(
      "--seed",
      "--shuf",
      line:
        "opool map -qk -j1 --shuf --seed 5 --results r true < three; grep -o '\"id\":\"[0-9]' r | sort | wc -l",
      "3\n"
    ),
    Self("-0", line: "printf 'a\\nb\\0c' | opool map -qk -0 printf '<%s>'", "<a\nb><c>"),
    Self("--null", line: "printf 'a\\0c' | opool map -qk --null echo", "a\nc\n"),
    Self("-d", line: "printf a,c | opool map -qk -d, echo", "a\nc\n"),
    Self("--delimiter", line: "printf a,c | opool map -qk --delimiter , echo", "a\nc\n"),
    Self("-a", line: "opool map -qk -a three echo", "1\n2\n3\n"),
    Self("--arg-file", line: "opool map -qk --arg-file=three echo", "1\n2\n3\n"),
    Self("-n", line: "opool map -qk -n2 echo < three", "1 2\n3\n"),
    Self("--max-args", line: "opool map -qk --max-args 2 echo < three", "1 2\n3\n"),
    Self("-N", line: "opool map -qk -N2 echo x{} < three", "x1 x2\nx3\n"),
    Self(
      "--max-replace-args",
      line: "opool map -qk --max-replace-args=2 echo x{} < three",
      "x1 x2\nx3\n"
    ),
    Self("-L", line: "printf '1 \\n2\\n\\n3\\n' | opool map -qk -L1 echo", "1 2\n3\n"),
    Self("--max-lines", line: "opool map -qk --max-lines 2 echo < three", "1 2\n3\n"),
    Self("-X", line: "opool map -q -j1 -X echo x{} < three", "x1 x2 x3\n"),
    Self("-m", line: "opool map -q -j1 -m echo x{}y < three", "x1 2 3y\n"),
    Self("-s", line: "opool map -qk -j1 -X -s 10 echo < three", "1 2\n3\n"),
    Self("--max-chars", line: "opool map -qk -j1 -X --max-chars=8 echo < three", "1\n2\n3\n"),
    Self("-I", line: "opool map -qk -I% echo %{} < three", "1{}\n2{}\n3{}\n"),
    Self("-C", line: "opool map -qk -C, echo {2}{1} < csv", "yx\n21\n43\n"),
    Self(
      "--colsep",
      "--header",
      line: "opool map -qk --colsep , --header : echo {y}{x} < csv",
      "21\n43\n"
    ),
    Self(
      "--shard",
      line:
        "seq 7 | opool map -kq -n2 --shard 2/3 echo; opool map -kq --shard 3/3 echo ::: a b ::: c d e",
      "2 5\na e\nb e\n"
    ),
    Self("--shard", line: "opool map --shard 3/3 echo ::: a b", says: nil),
    Self("--shard", line: "opool map --shard 4/3 echo ::: a", says: nil, exit: 2),
    Self(
      "--shard",
      "--pipe",
      line: "echo a | opool map --pipe --shard 1/3 cat",
      says: nil,
      exit: 2
    ),
    Self(
      "--unsafe-nested",
      line: "opool map -q --unsafe-nested 'sh -c \"echo {}\"' ::: 'a  b; echo c'",
      "a b\nc\n"
    ),
    Self("--unsafe-nested", line: "opool map -q 'sh -c \"echo {}\"' ::: 'a b'", says: nil, exit: 1),
    Self("--pipe", line: "opool map -q --pipe wc -l < three", "3\n"),
    Self("--pipepart", "-a", line: "opool map -q --pipepart -a three wc -l", "3\n"),
    Self("--block", line: "opool map -qk --pipe --block 4 wc -l < three", "2\n1\n"),
    Self("-N", line: "opool map -qk --pipe -N 1 wc -l < three", "1\n1\n1\n"),
    Self(
      "--recstart",
      line: "opool map -qk --pipe -N1 --recstart 2 'tr \"\\n\" .' < three",
      "1.2.3."
    ),
    Self(
      "--recend",
      line: "printf a.b. | opool map -qk --pipe -N1 --recend . 'cat; echo'",
      "a.\nb.\n"
    ),
    Self("--delay", line: "opool map -qk --delay 1ms echo < three", "1\n2\n3\n"),
    Self("--load", line: "opool map -qk --load 100000 echo < three", "1\n2\n3\n"),
    Self("--memfree", line: "opool map -qk --memfree 1M echo < three", "1\n2\n3\n"),
    Self("--nice", line: "opool map -q --nice 3 'nice; : {}' ::: a; :", "3\n"),
    Self("--wd", line: "mkdir d; opool map -q --wd d 'basename \"$PWD\"; : {}' ::: a", "d\n"),
    Self(
      "--tmpdir",
      line: "mkdir d; opool map -q --tmpdir d 'basename \"$TMPDIR\"; : {}' ::: a",
      "d\n"
    ),
    Self(
      "--output-grace",
      line: "opool map -q --output-grace 0 'sleep 9 & echo {}' ::: a",
      "a\n"
    ),
    Self("--worker-start", line: "opool map -q --worker-start 9s echo ::: a", "a\n"),
    Self("--lease", line: "opool map -q --lease 5s echo ::: a", "a\n"),
    Self("--pass-fd", line: "opool map -q --pass-fd 3 'cat <&3; : {}' ::: a 3<three", "1\n2\n3\n"),
    Self(
      "--jobserver",
      line: "opool map -q -j2 --jobserver 'echo $MAKEFLAGS | cut -d\" \" -f1; : {}' ::: a",
      "-j2\n"
    ),
    Self(
      "--retries",
      line: "opool map -q --retries 1 'echo {} >> o; false' ::: a; wc -l < o",
      "2\n",
      says: nil
    ),
    Self(
      "--retry-on",
      line: "opool map -q --retries 1 --retry-on signal 'echo {} >> o; false' ::: a; wc -l < o",
      "1\n",
      says: nil
    ),
    Self(
      "--retry-delay",
      line: "opool map -q --retries 1 --retry-delay 1ms 'echo {} >> o; false' ::: a; wc -l < o",
      "2\n",
      says: nil
    ),
    Self(
      "--idempotent",
      line: """
        opool map -q --idempotent --lease 5s \
          --worker '1:opool-worker | LC_ALL=C sed -u s/outbox/nobox_/' \
          'test -e t || { > t; kill -9 $PPID; }; echo {}' ::: a
        """,
      "a\n",
      says: nil
    ),
    Self("--timeout", line: "opool map -q --timeout 50ms sleep ::: 60", says: nil, exit: 1),
    Self("--deadline", line: "opool map -q --deadline 50ms sleep ::: 60", says: nil, exit: 124),
    Self(
      "--halt",
      line: "opool map -q -j1 --halt now,fail=1 'echo {}; false' ::: a b",
      "a\n",
      says: nil,
      exit: 1
    ),
    Self(
      "--term-seq",
      line: "opool map -q --timeout 50ms --term-seq KILL 'trap \"\" TERM; sleep {}' ::: 60",
      says: nil,
      exit: 1
    ),
    Self(
      "--results",
      line: "opool map -q --results - true ::: a | grep -o '\"input\":\"a\"'",
      "\"input\":\"a\"\n"
    ),
    Self("--results", line: "opool map -q --results /dev/full true ::: a", says: nil, exit: 5),
    Self("--results", line: "opool map -q --results d/ echo ::: a; cat d/1/a/stdout", "a\n"),
    Self("--joblog", line: "opool map -q --joblog log true ::: a b; wc -l < log", "3\n"),
    Self("--joblog", line: "opool map -q --joblog +log true ::: a; wc -l < log", "2\n"),
    Self("--joblog", line: "opool map -q --joblog /dev/full true ::: a", says: nil, exit: 5),
    Self("--joblog", line: "opool map -q --joblog + true ::: a", says: nil, exit: 2),
    Self("--report", line: "opool map -q --report p true ::: a; head -c 15 p", "<!doctype html>"),
    Self("--report", line: "opool map -q --report /none/p true ::: a", says: nil, exit: 5),
    Self("--report", line: "opool map -q --report - true ::: a", says: nil, exit: 2),
    Self("--junit", line: "opool map -q --junit j true ::: a; grep -c '<testcase' j", "1\n"),
    Self("--junit", line: "opool map -q --junit /none/j true ::: a", says: nil, exit: 5),
    Self("--junit", line: "opool map -q --junit - true ::: a", says: nil, exit: 2),
    Self(
      "--ci",
      line: "opool map -q --ci=github 'echo ::group::{}; exit {}' ::: 0",
      ": :group::0\n"
    ),
    Self(
      "--ci",
      line: "opool map -q --ci github false ::: a 2>&1 | grep -c '^::error title=1::'",
      "1\n"
    ), Self("--ci", line: "opool map --ci jenkins true ::: a", says: nil, exit: 2),
    Self("--ci", line: "opool map --ci=github -u true ::: a", says: nil, exit: 2),
    Self("--events", line: "opool map -q --events e true ::: a; grep -c '\"settled\"' e", "1\n"),
    Self("--events", line: "echo x > e; opool map -q --events e true ::: a", says: nil, exit: 5),
    Self("--events", line: "opool map -q --events fd:9 true ::: a 9>&-", says: nil, exit: 2),
    Self("--events", line: "opool map -q --events /dev/full true ::: a", says: nil, exit: 5),
    Self(
      "--json",
      line: "opool map --json --dry-run echo ::: a",
      #"{"type":"operation","level":1,"id":"1","kind":"command","command":"echo a","details":null}"#
        + "\n" + #"{"type":"plan","operations":1,"dependencies":0,"levels":1,"widest":1,"#
        + #""barriers":0,"groups":0,"resumed":0}"# + "\n"
    ),
    Self(
      "--json",
      line: "opool map -q --json true ::: a 2>&1 | grep -c '^{\"type\":\"summary\"'",
      "1\n"
    ),
    Self("--progress-every", line: "opool map -q --progress-every 5m true ::: a"),
    Self("--progress-every", line: "opool map --progress-every x true", says: nil, exit: 2),
    Self("-q", line: "opool map -q true ::: a"),
    Self("--quiet", line: "opool map --quiet true ::: a"),
    Self("-v", line: "opool map -v true ::: a 2>&1 | grep -c 'executing on worker'", "1\n"),
    Self(
      "--verbose",
      line: "opool map --verbose true ::: a 2>&1 | grep -c 'executing on worker'",
      "1\n"
    ),
    Self(
      "--progress",
      line:
        "TERM=xterm script -qec 'opool map -q -j1 --progress sleep ::: 0.6' /dev/null"
        + " | grep -o '1 of 1 executing' | uniq",
      "1 of 1 executing\n"
    ),
    Self(
      "--progress",
      line:
        "TERM=xterm script -qec 'opool map -q --progress=line sleep ::: 0.6' /dev/null"
        + " | grep -o '1 (0.6)' | uniq",
      "1 (0.6)\n"
    ),
    Self("--progress", line: "opool map --progress=bar true ::: a", says: nil, exit: 2),
    Self("--progress", line: "opool map --progress= true ::: a", says: nil, exit: 2),
    Self(
      "--color",
      line:
        "TERM=xterm NO_COLOR=1 script -qec 'opool map -q --color --progress sleep ::: 0.3' /dev/null"
        + " | grep -c '\u{1B}.1m'",
      "1\n"
    ),
    Self(
      "--color",
      line:
        "TERM=xterm script -qec 'unset NO_COLOR; opool map -q --color=never --progress sleep ::: 0.3' /dev/null"
        + " | grep -c '\u{1B}.1m'",
      "0\n",
      exit: 1
    ),
    Self("--color", line: "opool map --color=red true ::: a", says: nil, exit: 2),
    Self(
      "--no-progress",
      line: "opool map --no-progress true ::: a",
      says: "opool: 1 succeeded in T\n"
    ),
    Self(
      "--journal",
      "--resume",
      line: "opool map -q --journal j echo ::: a; opool map --journal j --resume echo ::: a",
      "a\n",
      says: nil
    ),
    Self("--resume", line: "opool map --resume true ::: a", says: nil, exit: 2),
    Self(
      "--resume-failed",
      line:
        "opool map -q --journal j 'echo {}; test -e ok' ::: a; touch ok; opool map -q --journal j --resume-failed 'echo {}; test -e ok' ::: a",
      "a\na\n",
      says: nil
    ),
    Self(
      "--rerun",
      line:
        "opool map -qk --journal j echo ::: a b; opool map -q --journal j --rerun 2 echo ::: a b",
      "a\nb\nb\n"
    ),
    Self("--durability", line: "opool map -q --journal j --durability operation echo ::: a", "a\n"),
    Self(
      "--same-folder",
      line:
        "opool map -q --journal j echo ::: a; mkdir d; cd d; opool map -q --journal ../j --resume --same-folder echo ::: a b",
      "a\nb\n"
    ),
    Self(
      "--salvage",
      line:
        "opool map -q --journal j echo ::: a; opool map -q --journal j --resume --salvage echo ::: a b",
      "a\nb\n"
    ),
    Self("-h", line: "opool map -h | head -n 1 | cut -c 1-9", "opool map\n"),
    Self("--help", line: "opool map --help | head -n 1 | cut -c 1-16", "Usage: opool map\n"),
    Self("--version", line: "opool map --version | cut -d ' ' -f 1", "opool\n"),
  ]

  /// Rows for `opool run`.
  static let run: [Self] = [
    Self(
      "--simulate",
      line: """
        echo '{"shell":"true","expected":2}' > e; opool run --simulate 1 e; \
        opool run --simulate 1,x e
        """,
      "  1 slot  2.00 s  bound by the longest chain of operations\n",
      says: nil,
      exit: 2
    ),
    Self("--graph", line: "opool run --graph dot m | tail -2", "  n0 -> n1;\n}\n"),
    Self("--graph", line: "opool run --graph svg m", says: nil, exit: 2),
    Self(
      "--around",
      line: "opool run -q --graph mermaid --around a bad; opool run --graph mermaid --around a m",
      """
      flowchart LR
        n0["a"]
        n1["b"]
        n0 --> n1
        style n0 stroke-width:4px

      """,
      says: "opool: --around: no operation or group is called 'a'\n"
    ),
    Self(
      "--from",
      line: "opool run -q --events e bad; opool run --graph mermaid --from e bad | sed -n 2,3p",
      "  n0[\"x\nfailed\"]\n",
      says: nil
    ), Self("--from", line: "opool run --graph dot --from m m", says: nil, exit: 2),
    Self("-n", line: "opool run -qn m", "opool: 2 operations, 1 dependency, 2 levels, widest 1\n"),
    Self(
      "--dry-run",
      line: "opool run --dry-run -q bad",
      "opool: 1 operation, 0 dependencies, 1 level, widest 1\n"
    ),
    Self("-j", "-k", line: "opool run -qkj2 m", "a\nb\n"),
    Self("--stream", line: "opool run -qk --stream < m", "a\nb\n"),
    Self("--halt", line: "opool run -q --halt soon,fail=1 bad", says: nil, exit: 1),
    Self("--results", line: "opool run -q --results r m >o; grep -c succeeded r", "2\n"),
    Self(
      "--journal",
      "--resume",
      line: "opool run -q --journal j m; opool run -q --journal j --resume m",
      "a\nb\n"
    ),
  ]
}
