import Foundation
import PoolTestSupport
import Testing

/// Contract: a folder of results has GNU parallel's layout, each file there is whole, and nothing
/// else is touched.
@Suite("A folder of results")
struct ResultsFolderTests {
  /// All files below a folder, with what they hold.
  private func files(_ run: OpoolRun, _ folder: String = "d") throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: run.folder.path(of: folder))
    var files: [String: String] = [:]
    for name in names {
      var isFolder: ObjCBool = false
      let path = run.folder.path(of: "\(folder)/\(name)")
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = run.folder.text(of: "\(folder)/\(name)") }
    }
    return files
  }

  @Test("is GNU parallel's, byte for byte", .needsParallel)
  func layout() throws {
    let command = "echo {} | tr a-z A-Z; echo {1} >&2; [ {1} != b ]"
    let inputs = #"a/b 'x y' "$(printf 'tab\tb')" 'back\slash' é b -dash"#
    let run = try Opool.shell(
      """
      export SHELL=/bin/sh; mkdir d
      opool map -q -j2 --results d '\(command)' ::: \(inputs)
      parallel --will-cite --results gnu '\(command)' ::: \(inputs)
      diff -r d gnu || exit 9
      opool map -q --results d2/ echo ::: a b ::: 1 2 ::: x
      parallel --will-cite --results gnu2 echo ::: a b ::: 1 2 ::: x
      diff -r d2 gnu2 || exit 9
      opool map -q -n2 --results d3/ echo ::: a b c
      parallel --will-cite -n2 --results gnu3 echo ::: a b c
      diff -r d3 gnu3
      opool map -q --header : --results d4/ echo ::: z 1 2 ::: b 3
      parallel --will-cite --header : --results gnu4 echo ::: z 1 2 ::: b 3
      diff -r d4 gnu4
      printf 'x,y\\n1,2\\n' >table
      opool map -q --header : --colsep , --results d5/ echo <table
      parallel --will-cite --header : --colsep , --results gnu5 echo <table
      diff -r d5 gnu5
      opool map -q --colsep , --results d6/ echo ::: a,b c
      parallel --will-cite --colsep , --results gnu6 echo ::: a,b c
      diff -r d6 gnu6
      printf 'A,B\\n1,2,3\\n4,5\\n' >wide
      opool map -q --header : --colsep , --results d7/ echo <wide
      parallel --will-cite --header : --colsep , --results gnu7 echo <wide
      diff -r d7 gnu7
      """
    ).run()
    run.expect("")
    #expect(try files(run)[#"1/a\_b/stdout"#] == "A/B\n")
    #expect(try files(run, "d2").count == 12)
    #expect(try files(run, "d3")["1/a/1/b/seq"] == "1")
  }

  @Test(
    "has no room for another file where outputs of operations are to be",
    arguments: [
      ("map --results d/ --joblog d/1 echo ::: a", "--joblog d/1"),
      ("map --results d/ --joblog d/1 echo -", "--joblog d/1"),
      ("map --results d/ --joblog d/../d/1/log echo ::: a", "--joblog d/../d/1/log"),
      ("map --results d/ --journal d/1 echo ::: a", "--journal d/1"),
      ("map --header : --results d/ --joblog d/x echo ::: x a", "--joblog d/x"),
      ("run --results d/ --joblog d/b m", "--joblog d/b"),
    ]
  )
  func places(_ arguments: String, _ file: String) throws {
    let reason = "that is where --results puts outputs of operations; name another file"
    try Opool.shell(
      """
      mkdir -p d/1; [ '\(file)' = '--joblog d/../d/1/log' ] || rmdir d/1
      echo '{"id":"b","shell":"touch executed"}' >m; opool \(arguments); echo $?; find d executed -type f 2>/dev/null
      """
    ).run().expect("2\n", exit: 1)
      .says("opool: \(file): \(reason)\n")
    try Opool.shell("opool map -q --results d/ --joblog d/log --journal d/j echo ::: a; ls d").run()
      .expect("1\nj\nlog\n")
  }

  @Test("has a folder for each id of a manifest, and number of a block")
  func others() throws {
    let run = try Opool.shell(
      """
      opool run -q --results d/ m; seq 3 | opool map -q --pipe -N1 --results d2/ cat
      """
    ).file("m", #"{"id":"a/b","shell":"echo out"}"# + "\n" + #"{"id":"..","shell":"echo up >&2"}"#)
      .run()
    run.expect("")
    #expect(
      try files(run) == [
        #"a\_b/seq"#: "1", #"a\_b/stdout"#: "out\n", #"a\_b/stderr"#: "",
        #"\../seq"#: "2", #"\../stdout"#: "", #"\../stderr"#: "up\n",
      ]
    )
    #expect(try files(run, "d2")["3/stdout"] == "3\n")
  }

  @Test("keeps hostile inputs inside, and apart")
  func hostile() throws {
    let long = String(repeating: "z", count: 300)
    let inputs = ["", ".", "..", "../../up", "/abs", "a", "a", long, long + "1"]
    let run = try Opool(["map", "-q", "--results", "in/d/", "printf %s {#}", ":::"] + inputs).run()
    run.expect("")
    let files = try files(run, "in/d").filter { $0.key.hasSuffix("/stdout") }
    #expect(Set(files.values) == Set((1...9).map { "\($0)" }) && files.count == 9)
    #expect(files[#"1/\empty/stdout"#] == "1" && files[#"1/\../stdout"#] == "3")
    #expect(files["1/a/stdout"] == "6" && files[##"1/a\#7/stdout"##] == "7")
    #expect(try run.folder.names(in: "in") == ["d"])
    #expect(try run.folder.names().filter { !$0.hasPrefix(".") } == ["in"])
  }

  @Test("never follows a link below it, and leaves files alone that are no results")
  func foreign() throws {
    let run = try Opool.shell(
      """
      mkdir -p out d/2 e/1/a f/1/a g/1/a h/1/a i/1/a; ln -s ../out d/1; ln -s ../../../out/x e/1/a/stdout
      echo mine >f/1/a/stdout; ln -s ../../../out/y g/1/a/.opool.stdout
      echo notes >h/1/a/seq; echo 7 >i/1/a/seq; echo 7 >i/1/a/stdout
      for d in d e f g h i; do opool map -q --results $d echo ::: a; echo $?; done
      ls out
      """
    ).run()
    run.expect("5\n5\n5\n0\n5\n0\n")
    run.says("opool: d/1: Not a directory\n")
    run.says("opool: e/1/a: it has files that are no results, which are left alone; ")
    run.says("opool: f/1/a: it has files that are no results, which are left alone; ")
    #expect(try run.folder.names(in: "f/1/a") == ["stdout"])
    #expect(run.folder.text(of: "f/1/a/stdout") == "mine\n")
    #expect(run.folder.text(of: "g/1/a/stdout") == "a\n")
    #expect(run.folder.text(of: "h/1/a/seq") == "notes\n")
    #expect(run.folder.text(of: "i/1/a/stdout") == "a\n")
  }

  @Test("has outputs whole, however large, and prints none of them")
  func large() throws {
    let line = "head -c 3000000 /dev/zero | tr '\\0' {}; head -c 100000 /dev/zero >&2"
    let run = try Opool("map", "--results", "d/", "--joblog", "log", line, ":::", "a", "b").run()
    run.expect("", stderr: "opool: 2 succeeded in T\n")
    for letter in ["a", "b"] {
      let output = run.folder.bytes(of: "d/1/\(letter)/stdout")
      #expect(output.count == 3_000_000 && output.allSatisfy { [$0] == Array(letter.utf8) })
      #expect(run.folder.bytes(of: "d/1/\(letter)/stderr").count == 100_000)
    }
    #expect(run.folder.text(of: "log").contains("\t0\t3000000\t0\t0\t"))
  }

  /// Such programs go back in a file and complete its beginning, where they can.
  @Test("has archives and sounds whole, as the standard output has", .needsPython)
  func seekers() throws {
    let run = try Opool.shell(
      """
      opool map -q --results d/ python3 -B w {} ::: zip wav
      for kind in zip wav; do
        opool map -q python3 -B w ::: $kind >$kind; cmp $kind d/1/$kind/stdout; python3 -B w $kind $kind
      done
      """
    )
    .file(
      "w",
      """
      import sys, wave, zipfile
      content = bytes(range(256)) * 2000
      if len(sys.argv) > 2:
          if sys.argv[1] == "zip": found = zipfile.ZipFile(sys.argv[2]).read("a")
          else: found = wave.open(sys.argv[2]).readframes(len(content))
          print(found == content)
      elif sys.argv[1] == "zip":
          date = (1980, 1, 1, 0, 0, 0)
          with zipfile.ZipFile(sys.stdout.buffer, "w") as archive:
              archive.writestr(zipfile.ZipInfo("a", date), content)
      else:
          with wave.open(sys.stdout.buffer, "wb") as sound:
              sound.setparams((1, 1, 8000, len(content), "NONE", "NONE"))
              sound.writeframesraw(content)

      """
    ).run()
    run.expect("True\nTrue\n")
  }

  @Test("has what zip writes to its standard output", .enabled(if: Self.hasZip, "there is no zip"))
  func zip() throws {
    let run = try Opool.shell(
      """
      seq 100000 >a; opool map -q --results d/ zip -q - {} ::: a; opool map -q zip -q - {} ::: a >b
      for archive in d/1/a/stdout b; do unzip -tq $archive >&2 && unzip -p $archive a | cmp - a; echo $?; done
      """
    ).run()
    run.expect("0\n0\n")
  }

  private static let hasZip = ["zip", "unzip"].allSatisfy { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  @Test("has an output before what depends on it executes")
  func dependent() throws {
    let run = try Opool("run", "-q", "--results", "d/", "m")
      .file(
        "m",
        (1...30).map { number in
          let before = number == 1 ? "echo 0" : "cat d/\(number - 1)/stdout"
          let after = number == 1 ? "" : #","after":["\#(number - 1)"]"#
          return #"{"id":"\#(number)","shell":"echo $(($(\#(before)) + 1))"\#(after)}"# + "\n"
        }.joined()
      ).run()
    run.expect("")
    #expect(run.folder.text(of: "d/30/stdout") == "30\n")
  }

  @Test("keeps what is there when a run is resumed, and adds the rest, also what was not printed")
  func resumed() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j 'echo kept {}' ::: a >/dev/full 2>/dev/null
      opool map -q --journal j --resume --results d/ 'echo kept {}' ::: a b || exit 9
      ls -i d/1/b/stdout >inode
      opool map -q --journal j --resume --results d/ 'echo kept {}' ::: a b c || exit 9
      ls -i d/1/b/stdout | cmp - inode && opool journal verify j | grep -c 'not printed'
      """
    ).run()
    #expect(run.stdout == "0\n")
    for (number, letter) in ["a", "b", "c"].enumerated() {
      #expect(run.folder.text(of: "d/1/\(letter)/stdout") == "kept \(letter)\n")
      #expect(run.folder.text(of: "d/1/\(letter)/seq") == "\(number + 1)")
    }
  }

  @Test("lacks what a run has put elsewhere that is resumed, and that is said")
  func absent() throws {
    let run = try Opool.shell(
      """
      opool map -q --journal j --results one/ 'echo {}' ::: a b
      opool map --journal j --results two/ --resume 'echo {}' ::: a b c
      opool map -q --journal j --results one/ --resume 'echo {}' ::: a b
      """
    ).run()
    run.expect(
      "",
      stderr: """
        opool: the outputs of 2 resumed operations are not in two/: an earlier run put them elsewhere
        opool: 3 succeeded (2 resumed) in T

        """
    )
    #expect(try files(run, "two").keys.sorted() == ["1/c/seq", "1/c/stderr", "1/c/stdout"])
  }

  @Test("has outputs under the numbers of the run that wrote them, and a later run says so")
  func moved() throws {
    let run = try Opool.shell(
      """
      line() { echo '{"shell":"echo '$1'"}'; }
      (line a; line b) > m; opool run -q --journal j --results d/ m
      (line b; line a) > m; opool run --journal j --results d/ --resume m
      """
    ).run()
    run.says(
      "opool: the outputs of 2 resumed operations are not in d/: an earlier run put them elsewhere\n"
    )
    #expect(run.folder.text(of: "d/1/stdout") == "a\n")
  }

  /// What each has in common is the last writer's, and never a part of it.
  @Test("is shared by runs at the same time")
  func shared() throws {
    let run = try Opool.shell(
      """
      for x in A B C; do
        opool map -q -j2 --results d/ "head -c 100000 /dev/zero | tr '\\\\0' $x; : {}" ::: $(seq 40) &
        pids="$pids $!"
      done
      for pid in $pids; do wait $pid || echo "failed: $?"; done
      find d -name '.opool*'
      cat d/1/*/stdout | fold -w 100000 | sort | uniq -c | wc -l
      """
    ).run()
    let kinds = Int(run.stdout.split(separator: "\n").first ?? "") ?? 0
    run.expect("\(kinds)\n", stderr: "")
    #expect((1...3).contains(kinds))
    #expect(try files(run).count == 120)
  }

  @Test("has the same names for equal inputs when a run is resumed")
  func repeated() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --journal j --halt now,done=1 --results d/ 'echo {#}' ::: a a a
      opool map -q -j1 --journal j --resume --results d/ 'echo {#}' ::: a a a
      """
    ).run()
    #expect(run.folder.text(of: "d/1/a/stdout") == "1\n")
    #expect(run.folder.text(of: ##"d/1/a\#2/stdout"##) == "2\n")
    #expect(run.folder.text(of: ##"d/1/a\#3/stdout"##) == "3\n")
    #expect(try files(run).count == 9)
  }

  /// What has its name is whole, and what the journal has is there, or is kept for the next run.
  @Test(
    "has only whole files wherever opool is killed, and then all that the journal has",
    .timeLimit(.minutes(30)),
    arguments: RandomSeeds.first(6)
  )
  func killed(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let armed = Int.random(in: 2...30, using: &generator)
    let command = """
      x={}; if [ $x = \(armed) ] && ! [ -e once ]; then touch once; \(Opool.findCoordinator)
      kill -9 $2; sleep 1000; fi; head -c 200000 /dev/zero; echo $x; echo $x >>ran
      """
    let options = "-q -j3 --journal j --durability none --results d/"
    let run = try Opool.shell(
      """
      seq 30 | opool map \(options) "$LINE" 2>/dev/null
      opool journal export j | grep settled >kept; cp -r d before
      sort ran >first; rm ran
      seq 30 | opool map \(options) --resume "$LINE"
      """
    ).environment("LINE", command).run()
    run.expect("")
    let before = try files(run, "before")
    for (name, text) in before where name.hasSuffix("/stdout") {
      #expect(text.utf8.count == 200_001 + name.split(separator: "/")[1].utf8.count, "seed \(seed)")
    }
    let kept = run.folder.text(of: "kept").split(separator: "\n").compactMap { line in
      try? /"id":"([0-9]+)"/.firstMatch(in: line).map { String($0.1) }
    }
    let after = try files(run)
    #expect(after.keys.count { $0.hasSuffix("/stdout") } == 30, "seed \(seed)")
    #expect(after.keys.allSatisfy { !$0.contains(".opool.") }, "seed \(seed)")
    let again = run.folder.text(of: "ran").split(separator: "\n").map(String.init)
    #expect(Set(again).isDisjoint(with: kept), "seed \(seed)")
  }

  @Test(
    "that is full is named, and what did not fit is there after the next run",
    .enabled(if: Namespace.isPermitted)
  )
  func full() throws {
    let script = """
      mkdir small && mount -t tmpfs -o size=4m none small || exit 77
      head -c 4120000 /dev/zero >small/filler
      opool map -q -j1 --journal j --results small/d/ 'head -c {} /dev/zero' ::: 10 1000000; echo $?
      find small -name '.opool*' -o -name stdout
      rm small/filler
      opool map -q -j1 --journal j --resume --results small/d/ 'head -c {} /dev/zero' ::: 10 1000000
      wc -c <small/d/1/1000000/stdout
      """
    let run = try Opool.shell("exec \(Namespace.enter) sh -c \"$SCRIPT\"")
      .environment("SCRIPT", script).run()
    run.expect(
      "5\nsmall/d/1/10/stdout\n1000000\n",
      stderr: "opool: small/d/1/1000000/stdout: No space left on device\n"
    )
  }

  @Test("that cannot be made is named, and nothing is executed")
  func unusable() throws {
    let run = try Opool.shell(
      """
      touch file
      opool map --results file/d/ touch ::: ran; echo $?; opool map --results file/ touch ::: ran
      echo $?; opool map --results d/ --joblog no/log touch ::: ran; echo $?; ls
      """
    ).run()
    run.expect("5\n5\n5\nfile\n")
    run.says("opool: file/d/: Not a directory\nopool: file/: Not a directory\nopool: no/log: ")
  }
}
