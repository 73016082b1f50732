import PoolJournal
import PoolModel
import PoolTestSupport
import Testing

/// Contract: trouble with a journal is named, costs nothing that is in it, and ends with its code.
@Suite("The journal's file")
struct JournalFileTests {
  @Test("A journal that is there is never overwritten")
  func existing() throws {
    let script = "opool map -q --journal j echo ::: 1; opool map --journal j touch ::: ran"
    let run = try Opool.shell(script).run()
    run.expect(
      "1\n",
      stderr: "opool: j: a journal is there already; --resume continues it\n",
      exit: 5
    )
    #expect(try !run.folder.names().contains("ran"))
  }

  /// An allocation that fails would end the process.
  @Test("A sparse file that is larger than the memory is refused, and not read")
  func sparse() throws {
    let run = try Opool.shell("truncate -s 8T j || exit 77; opool journal verify j").run()
    // Some file systems have no files of this size.
    guard run.status != .exited(77) else { return }
    let reason = "reading a file of \(8 << 40) bytes: Cannot allocate memory"
    run.expect("", stderr: "opool: j: \(reason)\n", exit: 5)
  }

  /// Opening results empties them.
  @Test("A journal that is refused costs the results of the run before nothing")
  func results() throws {
    let script = "for i in 1 2; do opool map -q --journal j --results r true ::: 1; done"
    let run = try Opool.shell(script).run().expect("", exit: 5)
    #expect(try run.results("r").count == 1)
  }

  @Test("A file that can be no journal is refused before anything is executed")
  func unusable() throws {
    for path in ["/dev/full", "missing/j", ".", "text"] {
      for resume in [[], ["--resume"]] {
        let run = try Opool(["map", "--journal", path] + resume + ["touch", ":::", "ran"])
          .file("text", "precious\n").run()
        run.expect("", exit: 5).says("opool: \(path): ")
        #expect(try !run.folder.names().contains("ran"))
        #expect(run.folder.text(of: "text") == "precious\n")
      }
    }
  }

  @Test("With --resume a journal that is not there is begun")
  func resumeOfNothing() throws {
    try Opool.shell("for i in 1 2; do opool map -q --journal j --resume echo ::: 1; done").run()
      .expect("1\n")
  }

  /// The second run is made by an operation of the first.
  @Test("Two runs cannot have one journal, and it is not compacted while one has it")
  func exclusion() throws {
    let script = """
      opool map -q --journal j 'opool map --journal j --resume echo ::: {}; echo $?; \
      opool journal compact j; echo $?' ::: 1
      """
    try Opool.shell(script).run().expect("5\n5\n")
      .says(String(repeating: "opool: j: another process has this journal\n", count: 2))
  }

  /// A limit on the size of files is what a full disk is, without one.
  @Test("A journal that cannot be written any more ends the run, and stays whole")
  func full() throws {
    for durability in ["none", "50ms", "operation"] {
      let script = """
        seq 40 > in
        (trap '' XFSZ; ulimit -f 4
        opool map -j1 --journal j --durability \(durability) 'echo {} >> ran' < in); echo $?
        opool journal verify j > /dev/null; echo $?; opool journal export j | grep -c settled > kept
        opool map -q -j1 --journal j --resume 'echo {} >> ran' < in; echo $?
        """
      let run = try Opool.shell(script).run()
      // Sometimes two, because the worker has the next one already.
      run.expect("5\n0\n0\n")
        .says("opool: j: write: File too large; outcomes that may be missing: ")
      let kept = Int(run.folder.text(of: "kept").dropLast()) ?? 0
      let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
      #expect(kept > 0 && Set(ran) == Set(1...40), "\(kept) kept")
      #expect(ran.filter { $0 <= kept }.count == kept, "what is kept is executed once")
    }
  }

  @Test("A damaged middle is refused with its offset, and salvaged when that is wanted")
  func damage() throws {
    let made = try Opool("map", "-q", "-j1", "--journal", "j", "echo", ":::", "1", "2", "3").run()
    var journal = made.folder.bytes(of: "j")
    let outcomes = try JournalScan(journal).entries.filter { entry in
      guard case .settled = entry.record else { return false }
      return true
    }
    let offset = outcomes[0].offset
    journal[offset + 9] ^= 1
    let script = """
      opool journal verify j; echo $?; opool journal export j | grep -cE "opened|settled"; opool journal compact j; echo $?
      opool map --journal j --resume echo ::: 1 2 3; echo $?
      opool map --journal j --resume --same-folder --salvage echo ::: 1 2 3; echo $?
      opool journal verify j; echo $?
      """
    let command = try Opool.shell(script)
    try command.folder.write(journal, to: "j")
    let run = try command.run()
    let size = outcomes[0].body.upperBound - offset
    run.says(
      "opool: j: damaged at offset \(offset): no record in \(size) bytes there, but records follow"
    )
    .says("opool: j: \(size) bytes at offset \(offset) are no record; left out\n")
    .says("opool: 3 succeeded (2 resumed) in T\n")
    run.expect(
      """
      j: 3 records, 1 run, 2 outcomes, 2 of them succeeded
      1
      3
      1
      5
      1
      0
      j: 5 records, 2 runs, 3 outcomes, 3 of them succeeded
      0

      """
    )
  }

  @Test("A compacted journal resumes as the whole one would")
  func compaction() throws {
    let script = """
      opool run -q --journal j m; for i in 1 2; do opool run -q --journal j --resume-failed m; done
      wc -c < j > before; cp j k; opool journal compact j > said; wc -c < j > after
      for f in j k; do opool run -q --journal $f --resume m; echo $?; done
      """
    let lines = #"{"run":["true"]}"# + "\n" + #"{"shell":"exit 7"}"# + "\n"
    let run = try Opool.shell(script).file("m", lines).run().expect("1\n1\n")
    let sizes = ["before", "after"].map { Int(run.folder.text(of: $0).dropLast()) ?? 0 }
    #expect(sizes[1] < sizes[0] && sizes[1] > 0)
    #expect(run.folder.text(of: "said") == "j: \(sizes[0]) bytes, now \(sizes[1])\n")
    let said = run.stderr.split(separator: "\n").filter { $0.contains("2: failed: exit code 7") }
    #expect(said.count == 5)
  }

  /// The run's own operations do that; the records of the first are lost with the file.
  @Test(
    "A journal that is deleted, replaced or truncated during the run ends it",
    arguments: [
      ("rm j", "deleted"), ("mv j k", "moved or replaced"), (": > j", "truncated"),
      ("cp j k; mv k j", "deleted"), ("mv j k; cp k j", "moved or replaced"),
      ("echo >> j", "another process wrote"),
    ]
  )
  func tampered(_ deed: String, _ word: String) async throws {
    for durability in ["none", "50ms", "operation"] {
      let command = try Opool.shell(
        "opool map -j1 --journal j --durability \(durability) '[ {} != 2 ] || { \(deed); }; echo {}' "
          + "::: 1 2 3 4 5 6; echo $?"
      )
      let run = try await Blocking.run { try command.run() }
      #expect(["1\n5\n", "5\n"].contains(run.stdout), "\(run.stdout)")
      run.expectNothingLeft()
      run.says(" during the run").says("opool: j: ").says(word)
    }
  }

  /// No record would tell it: the one operation waits for its end.
  @Test("A journal that is deleted while nothing ends is missed within a second")
  func deletedInSilence() async throws {
    let command = try Opool("map", "--journal", "j", "rm j; sleep 1000", ":::", "1")
    let run = try await Blocking.run { try command.run() }
    run.expect("", exit: 5).says("opool: j: the journal was deleted during the run")
  }

  /// Root can read every folder, so that this shows more to others.
  @Test("A folder that cannot be read can have a journal")
  func unreadableFolder() throws {
    for durability in ["none", "50ms", "operation"] {
      try Opool.shell(
        """
        mkdir f; chmod 0300 f; opool map -q --journal f/j --durability \(durability) echo ::: 1
        for i in 1 2; do opool map -q --journal f/j --resume echo ::: 1 2; done; chmod 0700 f
        """
      ).run().expect("1\n2\n")
    }
  }

  /// The size that a file may have is tried record by record.
  @Test("Behind a write that failed nothing is printed", arguments: ["operation", "none"])
  func nothingBehindFailure(_ durability: String) async throws {
    let command = try Opool.shell(
      """
      seq 12 > in
      for n in 1 2 3 4 5 6 7 8; do
        rm -f j; (trap '' XFSZ; ulimit -f $n
        opool map -j4 --journal j --durability \(durability) 'echo out {}' < in > out.$n)
        opool journal export j 2> /dev/null | grep -o 'out [0-9]*' | sort -u > kept.$n
        sort -u out.$n | comm -23 - kept.$n
      done
      """
    )
    let run = try await Blocking.run { try command.run() }
    run.expect("").says("File too large")
  }

  /// In a chain each operation leaves in the turn in which the record of the one before it is
  /// written.
  @Test("Behind a write that failed nothing is dispatched")
  func nothingDispatchedBehindFailure() async throws {
    let chain = (1...20).map { number in
      let after = number > 1 ? ",\"after\":[\"\(number - 1)\"]" : ""
      return #"{"id":"\#(number)","shell":"echo \#(number) >> ran"\#(after)}"# + "\n"
    }
    let command = try Opool.shell(
      """
      for n in 1 2 3 4 5 6; do
        rm -f j ran; (trap '' XFSZ; ulimit -f $n; opool run -q -j1 --journal j m)
        kept=$(opool journal export j 2> /dev/null | grep -c settled); echo $(($(wc -l < ran) - kept))
      done
      """
    ).file("m", chain.joined())
    let run = try await Blocking.run { try command.run() }
    run.expect(String(repeating: "1\n", count: 6))
  }
}
