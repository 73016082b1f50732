import Testing

/// Where the inputs of map come from, and how they are cut and combined.
@Suite("Sources of inputs")
struct InputSourceTests {
  @Test("-0 takes names with line feeds, as from find -print0")
  func null() throws {
    try Opool("map", "-0", "-k", "printf '<%s>\n' {}").stdin("a\nb\0\0c'd\0e").run()
      .expect("<a\nb>\n<>\n<c'd>\n<e>\n", stderr: "opool: 4 succeeded in T\n")
    try Opool.shell("mkdir d; touch 'd/x\ny' d/z; find d -type f -print0 | opool map -0 rm; ls d")
      .run().expect("")
  }

  @Test("-d cuts at any byte")
  func delimiter() throws {
    try Opool("map", "-k", "-d", ",", "printf '<%s>'").stdin("a,b\nc,").run().expect("<a><b\nc>")
    try Opool("map", "-k", "-d", #"\t"#, "printf '<%s>'").stdin("a\tb").run().expect("<a><b>")
  }

  @Test("a NUL elsewhere ends the inputs, and the hint is the option")
  func strayNull() throws {
    let run = try Opool("map", "-k", "echo").stdin("a\nb\0c\n").run().expect("a\n", exit: 2)
    run.says("opool: line 2: it contains a NUL, which no argument can hold\n       write -0 if")
  }

  @Test("-a and :::: read files, and combine them with arguments")
  func files() throws {
    let opool = try Opool("map", "-k", "-a", "f", "echo", "{1}-{2}", ":::", "x", "y")
      .file("f", "1\n2\n")
    try opool.run().expect("1-x\n1-y\n2-x\n2-y\n")
    try opool.again("map", "-k", "echo", ":::", "x", "::::", "f", "-").stdin("s\nt\n").run()
      .expect("x 1 s\nx 1 t\nx 2 s\nx 2 t\n")
    try opool.again("map", "-k", "echo", "{2}{1}", "::::", "f", ":::+", "x", "y", "z").run()
      .expect("x1\ny2\n")
    // The standard input is not read where it is no source.
    try opool.again("map", "echo", "::::", "f").stdin("never\n").run().expect(exit: 0)
  }

  @Test("a file that is not there is named before anything is executed")
  func missing() throws {
    try Opool("map", "touch", ":::", "ran", "::::", "gone").run()
      .expect("", stderr: "opool: 'gone' cannot be read: No such file or directory\n", exit: 2)
    let run = try Opool.shell("opool map -k touch :::: . ::: ran; ls").run()
    run.says("'.' cannot be read: Is a directory").expect("")
  }

  @Test("an error in a file names the file and the line, and what was read is executed")
  func badFile() throws {
    try Opool.shell("printf 'a\\nb\\0' > f; opool map -k echo :::: f ::: x").run()
      .expect("a x\n", exit: 2).says("opool: 'f': line 2: it contains a NUL")
  }

  @Test("a product of long sources begins at once, in flat memory, and can be left")
  func largeProduct() throws {
    try Opool.shell("opool map -k echo {2}{1} :::: - ::: $(seq 3) < in | head -n 4; echo $?")
      .file("in", (1...300_000).map { "\($0)\n" }.joined()).run()
      .expect("11\n21\n31\n12\n0\n")
  }

  @Test("-n gives several inputs to an execution, the last one the rest")
  func batches() throws {
    try Opool("map", "-k", "-n", "2", "echo").stdin("a\nb\nc\n").run().expect("a b\nc\n")
    try Opool("map", "-k", "-n2", "echo {2}-{1}; :", ":::", "a", "b", "c").run().expect("b-a\n-c\n")
    try Opool("map", "-k", "-n2", "echo", ":::", "a", "b", ":::", "1", "2", "3").run()
      .expect("a 1 a 2\na 3 b 1\nb 2 b 3\n")
  }

  @Test("the slot is a number from 1 to the width")
  func slot() throws {
    let run = try Opool.shell("seq 20 | opool map -j3 echo '{%}' | sort -u").run().expect(exit: 0)
    #expect(Set(run.stdout.split(separator: "\n")).isSubset(of: ["1", "2", "3"]))
    #expect(!run.stdout.isEmpty)
  }

  @Test("results have the fields of an input, and a resumed run continues a product")
  func resume() throws {
    let opool = try Opool.shell(
      """
      m() { opool map --journal j "$@" --results r 'echo {1}{2} >> ran; [ {2} != 2 ]' ::: a b ::: 1 2 3; }
      m; m --resume-failed; sort ran | uniq -c
      """
    )
    let run = try opool.run().expect(exit: 0)
    #expect(run.stdout.contains("1 a1\n") && run.stdout.contains("2 a2\n"))
    #expect(try run.results("r").contains { $0.input?.text == "b 2" })
  }

  @Test("without inputs nothing is executed")
  func empty() throws {
    for words in [["::: "], ["::: a :::"], [":::: /dev/null"]] {
      try Opool.shell("opool map echo \(words[0])").run()
        .expect("", stderr: "opool: 0 succeeded in T\n")
    }
    try Opool("map", "echo").run().expect(
      "",
      stderr: """
        opool: the standard input is empty; inputs can stand behind ::: as well
        opool: 0 succeeded in T

        """
    )
    try Opool("map", "-q", "echo").run().expect("", stderr: "")
  }
}
