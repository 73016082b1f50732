import PoolModel
import PoolTestSupport
import Testing

/// Contract: whatever ends a run, and however often, what was printed in all holds the output of
/// each operation that succeeded, and none whose outcome was kept is executed again for it.
@Suite("Outputs that a run could not print")
struct KeptOutputTests {
  private static let count = 40

  /// Small outputs, and some that are larger than a record; each execution leaves a line.
  private static let command =
    "echo {} >> ran; echo out {}; [ {} != 7 ] || yes large {} | head -c 100000"

  private func shell(_ script: String) throws -> Opool {
    try Opool.shell(
      """
      map() { seq \(Self.count) | opool map -j2 --journal j "$@" '\(Self.command)'; }
      \(script)
      """
    )
  }

  /// Expects what was printed in all, and what was executed.
  private func check(_ run: OpoolRun, _ files: [String], executedOnce: Bool = false) throws {
    let printed = files.flatMap { run.folder.text(of: $0).split(separator: "\n") }
    let numbers = printed.compactMap { line in
      line.hasPrefix("out ") ? Int(line.dropFirst(4)) : nil
    }
    #expect(Set(numbers) == Set(1...Self.count))
    #expect(printed.count { $0 == "large 7" } >= 100_000 / 8)
    let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
    #expect(Set(ran) == Set(1...Self.count))
    let names = try run.folder.names()
    #expect(!names.contains("j.outputs"), "nothing is left beside the journal")
    let kept = run.folder.text(of: "kept").split(separator: "\n").compactMap { Int($0) }
    #expect(kept.allSatisfy { number in ran.count { $0 == number } == 1 }, "\(kept)")
  }

  private static let keep =
    #"opool journal export j | sed -n 's/.*"type":"settled".*"id":"\([0-9]*\)".*"succeeded".*/\1/p' > kept"#

  @Test("Where the standard output is full, the next run prints everything", arguments: ["", "-k"])
  func full(_ order: String) throws {
    let run = try shell(
      """
      map \(order) > /dev/full; echo $?; \(Self.keep)
      opool journal verify j | grep -q 'not printed'; echo $?
      map \(order) --resume > all; echo $?
      opool journal verify j | grep -c 'not printed' || true
      """
    ).run()
    run.expect("5\n0\n0\n0\n").says(" kept for --resume\n")
    try check(run, ["all"])
    if order == "-k" {
      let lines = run.folder.text(of: "all").split(separator: "\n")
      let numbers = lines.compactMap { $0.hasPrefix("out ") ? Int($0.dropFirst(4)) : nil }
      #expect(numbers == Array(1...Self.count))
    }
  }

  /// What is in the pipe by then is read by nothing.
  @Test(
    "Where a reader takes one line and goes, the next run prints the rest",
    arguments: ["", "-k"]
  )
  func unread(_ order: String) throws {
    let run = try shell(
      """
      map \(order) | { read line; echo "$line" > first; }
      \(Self.keep)
      map \(order) --resume > all
      """
    ).run()
    run.expect("")
    try check(run, ["first", "all"])
  }

  @Test("Where the standard output is closed, the next run prints everything")
  func closed() throws {
    let run = try shell("map >&-; \(Self.keep); map --resume > all; echo $?").run()
    run.expect("0\n")
    try check(run, ["all"])
  }

  /// Each run is killed by one of its operations, which is another one each time.
  @Test(
    "Killed at any moment, and resumed until it is done, it has printed everything",
    arguments: ["", "-k", "--results r", "-k --durability none", "--durability operation"]
  )
  func killed(_ options: String) async throws {
    let command = try Opool.shell(
      """
      n=0; code=137
      while [ $code = 137 ] && [ $n -lt 20 ]; do
        n=$((n + 1))
        seq \(Self.count) | opool map -q -j2 --journal j --resume \(options) sh work > out.$n
        code=$?
        \(Self.keep).$n; cp ran ran.$n
      done
      echo $code; cat out.* > all; echo $n > epochs
      """
    ).file("work", Self.killingWork)
    let run = try await Blocking.run { try command.run() }
    run.expect("0\n")
    try check(run, ["all"])
    let epochs = Int(run.folder.text(of: "epochs").dropLast()) ?? 0
    #expect(epochs > 2)
    let lines = { (name: String) in run.folder.text(of: name).split(separator: "\n") }
    for epoch in 1...max(epochs, 1) {
      let (before, after) = (lines("ran.\(epoch)"), lines("ran"))
      for id in lines("kept.\(epoch)") {
        #expect(before.count { $0 == id } == after.count { $0 == id }, "\(id), epoch \(epoch)")
      }
    }
  }

  @Test(
    "Killed, and resumed into the same file, it has printed each output once, and the torn one whole",
    arguments: ["", "-k", "--durability none", "--durability operation"]
  )
  func appended(_ options: String) async throws {
    // Without syncs, what is printed is marked at once.
    let cut = options.contains("none") ? ":" : "truncate -s -1 all"
    let command = try Opool.shell(
      """
      code=137
      while [ $code = 137 ]; do
        seq \(Self.count) | opool map -q -j2 --journal j --resume \(options) sh work >> all
        code=$?
        [ -e torn ] || { touch torn; \(cut); }
      done
      echo $code
      """
    ).file("work", Self.killingWork)
    let run = try await Blocking.run { try command.run() }
    run.expect("0\n")
    let lines = run.folder.text(of: "all").split(separator: "\n").filter { $0.hasPrefix("out ") }
    #expect(lines.count == Self.count && Set(lines).count == Self.count)
    if options == "-k" { #expect(lines == (1...Self.count).map { "out \($0)" }) }
    try check(run, ["all"])
  }

  /// Writes a line for each execution, some output, and for five numbers kills the coordinator,
  /// once: the parent of the guardian, which is the worker's parent.
  private static let killingWork = """
    n=$1; echo $n >> ran; echo out $n; [ $n != 7 ] || yes large $n | head -c 100000
    case $n in 3 | 8 | 9 | 20 | 31)
      [ -e once$n ] || { touch once$n; read -r s < /proc/$PPID/stat; set -- ${s##*) }
      read -r s < /proc/$2/stat; set -- ${s##*) }; kill -9 $2; sleep 1000; } ;;
    esac

    """

  @Test("Results that have an output are continued, and have it once")
  func results() throws {
    let run = try shell(
      "map --results r > /dev/full; map --resume --results r > all; echo $?"
    ).run()
    run.expect("0\n")
    try check(run, ["all"])
    // What the first run had to end is executed by the second one.
    let records = try run.results("r").filter { $0.outcome == "succeeded" }
    #expect(records.count == Self.count && Set(records.map(\.id)).count == Self.count)
    #expect(records.allSatisfy { $0.stdout.text.hasPrefix("out \($0.id)\n") && !$0.resumed })
  }

  /// The standard error stream takes part, too, and what fails is printed as well.
  @Test("What a failed operation wrote is printed once, on its streams")
  func failed() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j 'echo out; echo err >&2; echo >> ran; exit {}' ::: 3 > /dev/full 2> /dev/null
      for i in 1 2; do opool map -q --journal j --resume 'echo out; echo err >&2; echo >> ran; exit {}' \
      ::: 3 2> err; grep -c '^err$' err; done; wc -l < ran
      """
    ).run()
    run.expect("out\n1\n0\n1\n")
  }

  /// One operation, whose output is too large for its record.
  private func large(_ script: String) throws -> OpoolRun {
    try Opool.shell(
      """
      map() { opool map --journal j "$@" 'echo {} >> ran; yes large | head -n 20000' ::: 7; }
      \(script)
      """
    ).run()
  }

  @Test("Outputs that are missing or damaged are named, and executed again if that is wanted")
  func lost() throws {
    let run = try large(
      """
      map -k > /dev/full; cp j.outputs whole
      rm j.outputs; map --resume; echo $?; opool journal verify j > said; echo $?
      printf x | dd of=whole bs=1 seek=50 conv=notrunc 2> /dev/null
      cp whole j.outputs; map --resume; echo $?; head -c 1000 whole > j.outputs; map --resume; echo $?
      wc -l < ran; map -q --resume --salvage > all; echo $?; wc -l < ran; grep -c large all
      """
    )
    run.expect("5\n1\n5\n5\n1\n0\n2\n20000\n")
    for reason in ["it is missing", "it is damaged", "it is too short"] {
      run.says("outputs: \(reason); --salvage executes those operations again\n")
    }
    #expect(try !run.folder.names().contains("j.outputs"))
  }

  @Test("A user's own file beside the journal is refused and stays")
  func foreign() throws {
    let run = try Opool("map", "--journal", "j", "touch", ":::", "ran")
      .file("j.outputs", "precious\n").run()
    run.expect("", exit: 5).says("j.outputs: use it for outputs of a journal: File exists\n")
    #expect(run.folder.text(of: "j.outputs") == "precious\n")
    #expect(try !run.folder.names().contains("ran"))
  }

  @Test("Journals and outputs can be read by their owner alone")
  func modes() throws {
    try large("umask 0; map -q > /dev/full 2>&1; ls -l j j.outputs | cut -c 1-10").expect(
      "-rw-------\n-rw-------\n"
    )
  }

  /// A journal that others may read, as earlier versions have made it, is given no outputs.
  @Test("Outputs are not put into a journal that others can read")
  func readableJournal() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j true ::: 1; chmod 644 j
      opool map -q --journal j --resume 'echo secret' ::: 2 > /dev/full 2>&1
      grep -c secret j; grep -c '^secret' j.outputs; opool map -q --journal j --resume 'echo secret' ::: 2
      """
    ).run()
    run.expect("0\n1\nsecret 2\n")
  }

  @Test("Compacting keeps what was not printed, and drops what was")
  func compacted() throws {
    let run = try Opool.shell(
      """
      opool map -kq --journal j 'echo secret {}' ::: 1 2; opool journal compact j > said; grep -c secret j
      opool map -q --journal j --resume 'echo secret {}' ::: 3 > /dev/full 2>&1
      opool journal compact j > said; grep -c secret j
      opool map -q --journal j --resume 'echo secret {}' ::: 1 2 3
      """
    ).run()
    run.expect("secret 1\nsecret 2\n0\n1\nsecret 3\n")
  }
}
