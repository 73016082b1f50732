import PoolTestSupport
import Testing

/// The files of a run are compared as files, whatever they are named, and none is overwritten.
@Suite("Files of a run")
struct RunFileTests {
  private func text(_ name: String) -> String { "{\"run\":[\"echo\",\"\(name)\"]}\n" }

  /// Every way to name the journal anew, where it is there and where it is not.
  @Test(
    "Results that are the journal are refused, and it stays as it is",
    arguments: ["./j", "../$(basename $PWD)/j", "symbolic", "hard", "dangling"]
  )
  func journal(_ name: String) throws {
    let run = try Opool.shell(
      """
      opool run -q --journal j m; cp j before; ln -s j symbolic; ln j hard; ln -s new dangling
      journal=j; [ \(name) = dangling ] && journal=new
      opool run --journal $journal --resume --results \(name) m; echo $?
      cmp j before; ls new
      """
    ).file("m", text("a")).run()
    run.expect("a\n2\n", exit: 2)
    let journal = name == "dangling" ? "new" : "j"
    run.says("opool: the journal '\(journal)' and the results '")
      .says("' are the same file; give each a file of its own\n")
  }

  @Test("Results in the place of a journal to come are refused, and nothing is left")
  func newJournal() throws {
    let run = try Opool("map", "--journal", "j", "--results", "./j", "touch", ":::", "ran").run()
    run.expect(
      "",
      stderr: "opool: the journal 'j' and the results './j' are the same file; "
        + "give each a file of its own\n",
      exit: 2
    )
    #expect(try run.folder.names().filter { !$0.hasPrefix(".") } == [])
  }

  /// The pairs of options, and how each names the file.
  @Test(
    "Two options that name one file to come are refused, and nothing is left",
    arguments: [
      ("--order critical-path --history n --results n", "the history 'n' and the results 'n'"),
      (
        "--order critical-path --history ./n --results n", "the history './n' and the results 'n'"
      ),
      ("--order critical-path --history n --joblog l", "the history 'n' and the job log 'l'"),
      ("--journal l --results n", "the journal 'l' and the results 'n'"),
      ("--journal n --joblog $PWD/n", "the journal 'n' and the job log '/"),
      ("--journal n --joblog n.outputs", "the journal's outputs 'n.outputs' and the job log"),
      ("--results n --joblog +d/../n", "the results 'n' and the job log 'd/../n'"),
    ]
  )
  func toCome(_ options: String, _ words: String) throws {
    let run = try Opool.shell(
      "mkdir d; ln -s n l; opool map \(options) touch ::: ran; echo $? >code; ls"
    ).run()
    #expect(run.folder.text(of: "code") == "2\n")
    run.expect("code\nd\nl\n").says("opool: \(words)").says("are the same file")
  }

  @Test("Results in the place of a journal's outputs are refused, and those stay")
  func keptOutputs() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j 'yes {} | head -n 20000' ::: a >/dev/full 2>/dev/null; cp j.outputs before
      opool map --journal j --resume --results ./j.outputs 'yes {} | head -n 20000' ::: a; echo $?
      cmp j.outputs before
      """
    ).run()
    run.expect("2\n")
      .says("opool: the journal's outputs 'j.outputs' and the results './j.outputs' are")
  }

  @Test(
    "Two of a run's files that are one are refused, and it stays as it is",
    arguments: [
      ("run --results f2 f", "the manifest 'f' and the results 'f2'"),
      ("run --results f2 - <f", "the manifest '-' and the results 'f2'"),
      ("run f >>f2", "the manifest 'f' and the standard output"),
      ("run f 2>>f2", ""),
      ("map --results f2 echo <f", "the standard input and the results 'f2'"),
      ("map echo <f >>f2", "the standard input and the standard output"),
      ("map --journal f --resume echo ::: a >>f2", "the journal 'f' and the standard output"),
      (
        "run --order critical-path --history f --results f2 g",
        "the history 'f' and the results 'f2'"
      ),
      ("run --journal f --resume f2", "the manifest 'f2' and the journal 'f'"),
    ]
  )
  func pairs(_ arguments: String, _ words: String) throws {
    let script = "ln f f2; cp f before; opool \(arguments); echo $? >code; cmp f before"
    let run = try Opool.shell(script).file("f", text("a")).file("g", text("b")).run()
    #expect(run.folder.text(of: "code") == "2\n")
    if arguments.contains("2>>") { return }
    run.expect(
      "",
      stderr: "opool: \(words) are the same file; give each a file of its own\n"
    )
  }

  @Test("Results that are the file of -j are refused, and it stays as it is")
  func width() throws {
    try Opool.shell("echo 2 > f; ln f f2; opool map -j f --results f2 echo ::: a; cat f").run()
      .expect(
        "2\n",
        stderr: "opool: the file of -j 'f' and the results 'f2' are the same file; "
          + "give each a file of its own\n"
      )
  }

  @Test("Files that are read only may be one, and devices may be anything")
  func allowed() throws {
    try Opool.shell(
      """
      opool map -q --results /dev/null true ::: a </dev/null >/dev/null &&
      opool run -q --journal j m >out &&
      opool run -q --order critical-path --history j --journal j --resume m >>out 2>>out
      """
    ).file("m", text("a")).run().expect("")
  }

  @Test("Results of a run that is refused are not emptied")
  func refused() throws {
    let run = try Opool.shell(
      "echo old >r; echo x >j; opool map --results r --journal j true ::: a; echo $?; cat r"
    ).run()
    run.expect("5\nold\n")
  }

  @Test("Exporting a journal into itself is refused, and it stays as it is")
  func export() throws {
    try Opool.shell(
      "opool map -q --journal j true ::: a; cp j b; opool journal export j >>j; echo $?; cmp j b"
    ).run()
      .expect(
        "2\n",
        stderr: "opool: the journal 'j' and the standard output are the same file; "
          + "give each a file of its own\n"
      )
  }
}
