import PoolTestSupport
import Testing

/// Contract: a run that is resumed goes on with the files of the one before; each value is there,
/// and none twice for one execution.
@Suite("Targets of a run that is resumed")
struct ResumedTargetTests {
  /// Four operations, of which the third fails until `good` exists, and `map` with a journal.
  private func shell(_ script: String) throws -> OpoolRun {
    try Opool.shell(
      """
      map() { opool map -q -j1 --journal j "$@" \
      'echo {} >> ran; echo out {}; [ {} != 3 ] || [ -e good ]' ::: 1 2 3 4 2> says; }
      outs() { grep -o '"stdout":"[^"]*' "$1" | cut -c11- | sed 's/..$//' | sort | tr '\\n' ' '; }
      \(script)
      """
    ).run()
  }

  @Test("Results are continued: no line is lost, none is repeated, and an execution adds one")
  func results() throws {
    let run = try shell(
      """
      map --results r > o; cp r before; touch good; map --results r --resume-failed >> o
      head -n 4 r | cmp - before; outs r; echo; wc -l < r; cat o
      grep '"out 3' r | grep -o '"key":"[^"]*' | sort -u | wc -l
      grep -o '"run":"[^"]*' r | sort -u | wc -l
      map --results r --resume; wc -l < r; map --results r --rerun 1 > o; outs r
      """
    )
    run.expect(
      """
      out 1 out 2 out 3 out 3 out 4\u{20}
      5
      out 1
      out 2
      out 3
      out 4
      out 3
      1
      1
      5
      out 1 out 1 out 2 out 3 out 3 out 4\u{20}
      """
    )
  }

  @Test(
    "A file that is deleted while the run writes it ends the run, and what follows is kept",
    arguments: ["--results", "--joblog"]
  )
  func deleted(option: String) throws {
    let run = try Opool.shell(
      """
      map() { opool map -q -j1 --journal j \(option) r "$@" \
        'echo {} >> ran; [ {} != 2 ] || [ -e once ] || { touch once; rm r; }' ::: 1 2 3 4; }
      map; echo $?; map --resume; echo $?; wc -l < ran; tail -n 3 r | wc -l
      opool map -q \(option) s 'rm s' ::: 1; echo $?
      """
    ).run()
    run.expect("5\n0\n4\n3\n5\n")
    run.says("opool: r: it was deleted while the run wrote it")
    run.says("opool: s: it was deleted while the run wrote it")
  }

  @Test(
    "What the journal has stays what it was where a run ends before it is resumed",
    arguments: ["--deadline 0.3", "--halt now,fail=1"]
  )
  func interruptedResume(_ end: String) throws {
    let run = try Opool.shell(
      """
      lines() { grep '"id":"b"' $1 | grep -o '"outcome":"[^"]*\\|"resumed":[a-z]*' | tr '\\n' ' '; echo; }
      printf '%s\\n' '{"id":"a","shell":"echo a"}' '{"id":"b","barrier":true,"shell":"echo b"}' > m
      opool run -q --journal j --results r m
      sed -i 's/echo a/[ -e good ] || { sleep 1; exit 3; }/' m
      opool run -q --journal j --resume --results r \(end) m 2> says; echo $?; lines r
      cp j k; opool run -q --journal k --resume --results new \(end) m 2> says; lines new
      touch good; opool run -q --journal j --resume-failed --results r m; echo $?; lines r
      """
    ).run()
    let code = end.hasPrefix("--deadline") ? 124 : 1
    let once = #""outcome":"succeeded "resumed":false "#
    run.expect(
      "a\nb\n\(code)\n\(once)\n" + #""outcome":"succeeded "resumed":true "# + "\n0\n\(once)\n"
    )
  }

  @Test("Bytes that are not this journal's, or are missing, end the run and stay as they are")
  func changed() throws {
    let run = try shell(
      """
      map --results r --joblog l > o
      try() { cp "$1" copy; map --results r --joblog l --resume; echo $?; cmp "$1" copy; }
      echo '{"id":"foreign"}' >> r; try r; grep -c 'is not of this journal' says
      sed -i '$d' r; try r
      cp r whole; head -c 100 whole > r; try r; grep -c 'shorter than' says
      tr a-z A-Z < whole > r; try r; grep -c 'not those of this' says; cat whole > r
      cp l log; tail -n 1 l | sed 's/\\.[0-9]*/.999/' >> l; try l; cat log > l; try l
      """
    )
    run.expect("5\n1\n1\n5\n1\n5\n1\n5\n1\n")
  }

  @Test("A torn line goes, and a run without --resume replaces its files")
  func torn() throws {
    let run = try shell(
      """
      map --results r --joblog l > o; cp r whole; cp l log; printf '{"id":"to' >> r; printf '5\\t:' >> l
      map --results r --joblog l --resume; echo $?; cmp r whole; cmp l log
      rm j; map --results r --joblog l > o; wc -l < r; wc -l < l
      """
    )
    run.expect("1\n4\n5\n")
  }

  @Test("A moved file goes on; a deleted one and a new one have a line for each operation")
  func moved() throws {
    let run = try shell(
      """
      map --results r > o; mv r s; map --results s --resume; wc -l < s
      cp s t; map --results t --resume; cmp s t; rm s; map --results s --resume; wc -l < s
      echo old > x; map --results x --resume; echo $?; cat x
      """
    )
    run.expect("4\n4\n5\nold\n")
  }

  @Test("Where results could not be written, the next ones have them; nothing is printed twice")
  func fullDisk() throws {
    let run = try shell(
      """
      touch good; map -k --results /dev/full > o; echo $?
      map -k --results r --resume >> o; echo $?; outs r; echo; cat o; wc -l < ran
      """
    )
    #expect(run.stdout.hasPrefix("5\n0\nout 1 out 2 out 3 out 4 \nout 1\nout 2\nout 3\nout 4\n"))
  }

  @Test("Results that the standard output lacks are printed in order by the next run")
  func unprinted() throws {
    let run = try shell(
      """
      touch good; map -k --results r > /dev/full; echo $?
      map -k --results r --resume; echo $?; outs r | xargs; ls j.outputs 2>&1 | grep -c No
      """
    )
    run.expect("5\nout 1\nout 2\nout 3\nout 4\n0\nout 1 out 2 out 3 out 4\n1\n")
  }

  /// The mark of what is printed last is lost with the process.
  @Test("A file behind the standard output is recognized although the run between had another one")
  func printedBetween() throws {
    let run = try shell(
      """
      export COMMAND='echo {}; [ {} != 3 ] || ! mkdir once || {
        until [ $(wc -l <out) = 2 ]; do sleep 0.01; done; kill -9 $(cat pid); sleep 1000; }'
      export RUN='echo $$ >pid; exec opool map -q -j1 --journal J "$@" "$COMMAND" ::: 1 2 3'
      again() { sh -c "$RUN" sh "$@"; }
      again >>out || again --resume >/dev/full && echo unnoticed
      again --resume >>out; cat out
      """
    )
    run.expect("1\n2\n3\n")
  }

  @Test("A line of the job log that could not be written is written by the next run")
  func jobLog() throws {
    let run = try Opool.shell(
      """
      map() { opool map -q -j1 --journal j "$@" \
      'echo out {}; [ {} = 1 ] || until [ -e closed ]; do :; done' ::: 1 2 3 4 2> says; }
      mkfifo f; map --joblog f > o & head -n 2 f > first; : > closed; wait
      map --joblog l --resume > o
      cat first l | cut -f1 | sort -u | tr '\\n' ' '; awk '$3 < 1e9' l | wc -l
      """
    ).run()
    run.expect("1 2 3 4 Seq 0\n")
  }

  @Test(
    "A folder of results has the result of a kind, and what an earlier run could not put there",
    .needsPython
  )
  func folder() throws {
    let run = try Opool.shell(
      """
      echo '{"id":"a","kind":"reverse","payload":"olleh"}' > m
      run() { opool run -q --journal j --worker '1:python3 -B "$PYTHON_WORKER"' "$@" m; }
      run --results d/; cat d/a/result; echo; run --results d/ --resume; ls d/a
      """
    ).run()
    run.expect("\"hello\"\nresult\nseq\nstderr\nstdout\n")
  }
}
