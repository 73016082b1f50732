import PoolTestSupport
import Testing

/// Contract: a resumed run executes what its journal does not know, and nothing else; the rest
/// counts as it ended.
@Suite("opool run --resume")
struct ResumeTests {
  private static let graph = """
    {"id":"a","shell":"echo a | tee -a ran"}
    {"id":"b","shell":"echo b >> ran; exit 3","after":["a"]}
    {"id":"c","shell":"echo c >> ran","after":["b"]}
    {"id":"d","shell":"echo d >> ran; [ -e good ]","after":[{"id":"b","when":"failed"}]}
    {"id":"e","shell":"echo e >> ran","after":["a"]}

    """

  private func run(_ script: String) throws -> OpoolRun {
    try Opool.shell(script).file("m", Self.graph).run()
  }

  /// What succeeded, failed and was skipped, without a new process.
  @Test("A run that has ended is only reported")
  func nothingLeft() throws {
    let run = try run(
      "opool run -q -j1 --journal j m; rm ran; opool run --journal j --resume --results results m"
    )
    run.expect("a\n", exit: 1)
      .says("m:2: b: failed: exit code 3: echo b >> ran; exit 3; 1 skipped because of it\n")
      .says("m:4: d: failed: exit code 1: echo d >> ran; [ -e good ]\n")
      .says("opool: 2 succeeded, 2 failed, 1 skipped (4 resumed) in T\n")
    #expect(run.folder.bytes(of: "ran").isEmpty)
    let records = try run.resultsByID()
    #expect(records["a"]?.stdoutBytes == 2 && records["a"]?.stdout.isNull == true)
    #expect(records["a"]?.stderrBytes == 0 && records["a"]?.stderr.isNull == false)
    #expect(records["b"]?.ending == "failed exit 3" && records["b"]?.attempt == 1)
    #expect(records["c"]?.ending == "skipped dependency:b")
    #expect(records.values.filter { $0.resumed }.map(\.id).sorted() == ["a", "b", "d", "e"])
    #expect(records.values.allSatisfy { !$0.resumed || $0.worker == nil && $0.started == nil })
  }

  /// Otherwise one of them would be executed twice, and another never.
  @Test("Equal commands with identifiers keep their outcomes and keys wherever they stand")
  func equalCommands() throws {
    let run = try Opool.shell(
      """
      line() { echo '{"id":"'$1'","shell":"echo $OPOOL_ID $OPOOL_KEY >> ran; [ -e good ]"}'; }
      (line a; line b) > m; opool run -q -j1 --journal j m; mv ran first
      touch good; (line new; line b; line a) > m; opool run -q -j1 --journal j --resume-failed m
      (line b; line newer; line a; line new) | opool run --stream -q -j1 --journal j --resume
      cut -d' ' -f1 ran; sort first > 1; grep '^[ab] ' ran | sort | cmp - 1
      cut -d' ' -f2 ran | sort | uniq -d
      """
    ).run()
    run.expect("new\nb\na\nnewer\n")
  }

  @Test("An unfinished --rerun is continued by --resume, whatever ended it")
  func unfinishedRerun() throws {
    let script = """
      cat > m <<'E'
      {"id":"a","shell":"cat source > o"}
      {"id":"b","shell":"test ! -e slow || { echo >> begun; sleep 1000; }; cat o > p","after":["a"]}
      {"id":"c","shell":"cat p","after":["b"]}
      E
      echo 1 > source; opool run -q --journal j m
      echo 2 > source; touch slow; mkfifo begun
      \(Opool.interruptible) opool run -q --journal j --rerun a m & read x < begun; kill -$1 $!; wait $!
      rm slow; opool run -q --journal j --resume m
      opool run --journal j --resume m
      """
    for signal in ["INT", "KILL"] {
      let run = try Opool.shell("set -- \(signal); \(script)").run()
      #expect(run.stdout == "1\n2\n", "\(signal)")
      run.says("opool: 3 succeeded (3 resumed) in T\n")
    }
  }

  @Test("What depends on an operation of a --rerun that failed is not said to have succeeded")
  func failedRerun() throws {
    let run = try Opool.shell(
      """
      cat > m <<'E'
      {"id":"a","shell":"test ! -e bad"}
      {"id":"b","shell":"echo b","after":["a"]}
      E
      opool run -q --journal j m; touch bad; opool run -q --journal j --rerun a m
      opool run --journal j --resume m; rm bad; opool run --journal j --resume-failed m
      """
    ).run()
    #expect(run.stdout == "b\nb\n")
    run.says("opool: 0 succeeded, 1 failed, 1 skipped (1 resumed) in T\n")
      .says("opool: 2 succeeded in T\n")
  }

  @Test("A dry run refuses a journal that the run would refuse")
  func refusedPlan() throws {
    let run = try run(
      """
      : > j; opool run -nq --journal j m; opool run -nq --journal none m
      opool run -q --journal k m > /dev/null 2>&1; opool run -nq --journal k m; echo $?; ls none
      """
    )
    #expect(run.stdout.hasSuffix("\n5\n"), "\(run.stdout)")
    #expect(run.stdout.split(separator: "\n").count == 3, "\(run.stdout)")
    run.says("opool: k: a journal is there already; --resume continues it\n")
  }

  @Test("A dry run lists what would be executed, and leaves the journal as it is")
  func plan() throws {
    let run = try run(
      """
      opool run -q -j1 --journal j --halt now,fail=1 m 2>says; cp j before
      opool run -n --journal j --resume m; opool run -nq --journal j --resume-failed m
      opool run -nq --journal none --resume m; cmp j before; ls none
      """
    )
    run.expect(
      """
      a
      2\te\techo e >> ran
      3\td\techo d >> ran; [ -e good ]
      opool: 5 operations, 4 dependencies, 3 levels, widest 2, 2 resumed
      opool: 5 operations, 4 dependencies, 3 levels, widest 2, 1 resumed
      opool: 5 operations, 4 dependencies, 3 levels, widest 2

      """,
      exit: 2
    )
  }

  @Test("What failed is executed again when that is wanted, and then what depends on it")
  func failed() throws {
    let run = try run(
      """
      opool run -q -j1 --journal j m; rm ran; touch good
      opool run -j1 --journal j --resume-failed m; cat ran; rm ran
      opool run --journal j --resume m; cat ran
      """
    )
    run.expect("a\nb\nd\n", exit: 1)
      .says("opool: 3 succeeded, 1 failed, 1 skipped (2 resumed) in T\n")
      .says("opool: 3 succeeded, 1 failed, 1 skipped (4 resumed) in T\n")
  }

  @Test("What is named is executed again, whatever its outcome, and then what depends on it")
  func named() throws {
    let run = try run(
      """
      touch good; opool run -q -j1 --journal j m; rm ran
      opool run -q -j1 --journal j --rerun b m; cat ran; rm ran; echo
      opool run -n --journal j --rerun e --rerun d m; ls ran
      opool run -q --journal j --rerun a m; sort ran; rm ran; echo
      opool run -q --journal j --rerun nothing --results r m; echo $?; ls r ran; echo
      printf '{"shell":"echo 1"}\\n{"id":"y","shell":"echo 2","after":["1"]}\\n' >n
      opool run -q --stream --journal s n; opool run -q --stream --journal s --rerun 1 n
      seq 3 | opool map -q -k --journal k echo; seq 3 | opool map -q --journal k --rerun 2 echo
      seq 3 | opool map -q --journal k --rerun 9 --rerun 4 echo; echo $?
      opool map -q --journal k --rerun 4 echo ::: 1 2 3; echo $?
      opool run -nq --journal j --rerun nobody m; echo $?
      opool run -nq --journal absent --rerun b m; ls absent
      """
    )
    run.expect(
      """
      a
      b
      d

      2\te\techo e >> ran
      3\td\techo d >> ran; [ -e good ]
      opool: 5 operations, 4 dependencies, 3 levels, widest 2, 2 resumed
      a
      a
      b
      d
      e

      2

      1
      2
      1
      2
      1
      2
      3
      2
      2
      2
      2
      opool: 5 operations, 4 dependencies, 3 levels, widest 2

      """,
      exit: 2
    ).says("opool: --rerun nothing: no operation has this id\n")
      .says("opool: --rerun 4: no operation has this id\n")
  }

  @Test("Editing the manifest executes what was changed and what depends on it")
  func edited() throws {
    let run = try Opool.shell(
      """
      opool run -q --journal j m; rm ran
      sed -e '2s/ran/ran ; true/' -e '1s/"id"/"priority":"high","id"/' m > n
      echo '{"id":"new","shell":"echo new >> ran"}' >> n
      opool run -q --journal j --resume n; sort ran
      """
    )
    .file(
      "m",
      """
      {"id":"a","shell":"echo a >> ran"}
      {"id":"b","shell":"echo b >> ran","after":["a"]}
      {"id":"c","shell":"echo c >> ran","after":["b"]}
      {"id":"d","shell":"echo d >> ran","after":["a"]}

      """
    ).run()
    run.expect("b\nc\nnew\n")
  }

  @Test("What is given to an operation that must be executed is made again")
  func inputs() throws {
    let lines = """
      {"id":"a","shell":"echo a >> ran; echo made"}
      {"id":"b","shell":"echo b >> ran; cat $OPOOL_INPUT_x; [ -e good ]","inputs":{"x":"a"}}

      """
    let run = try Opool.shell(
      """
      opool run -q --journal j m; opool run -q --journal j --resume m
      touch good; opool run -q --journal j --resume-failed m; cat ran | tr -d '\\n'
      """
    ).file("m", lines).run()
    run.expect("made\nmade\nmade\nmade\nabab").says("m:2: b: failed: exit code 1: ")
  }

  @Test("Barriers and groups keep their meaning")
  func barriersAndGroups() throws {
    let lines = """
      {"id":"a","shell":"echo a >> ran","group":"g"}
      {"id":"b","shell":"echo b >> ran; [ -e good ]","group":"g"}
      {"id":"w","shell":"echo w >> ran","barrier":true}
      {"id":"c","shell":"echo c >> ran","after":["g"]}

      """
    let run = try Opool.shell(
      """
      opool run -q -j1 --journal j m; touch good
      opool run -q -j1 --journal j --resume-failed --results results m; tr -d '\\n' < ran
      """
    ).file("m", lines).run()
    run.expect("abwbc")
    let records = try run.resultsByID()
    #expect(records["g"]?.outcome == "succeeded" && records["w"]?.resumed == true)
  }

  /// Identical lines are told apart by their number; what is new in the input is executed.
  @Test("A map resumes, also from lines that come slowly and that occur twice")
  func map() throws {
    let run = try Opool.shell(
      """
      printf '1\\n2\\n2\\n' | opool map -k --journal j echo
      printf '2\\n3\\n2\\n1\\n2\\n' | opool map -k --journal j --resume echo
      """
    ).run()
    run.expect("1\n2\n2\n3\n2\n").says("opool: 5 succeeded (3 resumed) in T\n")
  }

  /// What an interruption has cut short says nothing of the operations.
  @Test("After an interruption, what had not ended is executed")
  func interrupted() async throws {
    let started = try Opool.shell(
      """
      opool run -q -j1 --journal j m; echo $?
      opool run -q -j1 --journal j --resume m; echo $?; tr -d '\\n' < ran
      """
    ).file(
      "m",
      """
      {"id":"a","shell":"echo a >> ran"}
      {"id":"b","shell":"\(Self.endCoordinator("INT")); echo b >> ran"}
      {"id":"c","shell":"echo c >> ran"}

      """
    )
    let run = try await Blocking.run { try started.run() }
    run.expect("130\n0\nabc")
  }

  /// In an operation's shell: signals the coordinator, once, and waits to be ended if that says so.
  private static func endCoordinator(_ signal: String) -> String {
    "[ -e once ] || { touch once; \(Opool.findCoordinator); kill -\(signal) $2; sleep 1000; }"
  }
}
