import PoolTestSupport
import Testing

/// What a user of other tools tries first, and what it says then.
@Suite("Small surprises")
struct SmallSurpriseTests {
  @Test("a program that is not on PATH is said to be so, and where else it is")
  func absentProgram() throws {
    try Opool("map", "ls-none", ":::", "a").run()
      .says("opool: 1 (a): failed: ls-none: not found on PATH: ls-none a\n")
    try Opool.shell("chmod +x dl; opool map dl ::: b").file("dl", "#!/bin/sh\n").run()
      .says("not found on PATH; the program in this folder is './dl': dl b\n")
  }

  @Test("a manifest that cannot be read is named")
  func manifest() throws {
    try Opool("run", "missing.jsonl").run()
      .expect(
        "",
        stderr: "opool: the manifest 'missing.jsonl' cannot be read: "
          + "No such file or directory\n",
        exit: 3
      )
    try Opool.shell("opool run . ").run()
      .expect("", stderr: "opool: the manifest '.' cannot be read: Is a directory\n", exit: 3)
    try Opool.shell("opool run - < .").run()
      .expect(
        "",
        stderr: "opool: the manifest from the standard input cannot be read: "
          + "Is a directory\n",
        exit: 3
      )
  }

  @Test("a folder that cannot be entered is named with its field")
  func folder() throws {
    try Opool("run").stdin(#"{"run": ["true"], "cwd": "gone"}"#).run().expect("", exit: 1)
      .says("-:1: 1: failed: cwd: gone: No such file or directory: true\n")
  }

  @Test("what only bash reads is named before a map, and after a manifest has failed")
  func bash() throws {
    let sh = try Opool.shell("readlink -f /bin/sh").run()
    guard !sh.stdout.hasSuffix("/bash\n") else { return }
    let hint = "belongs to bash, and /bin/sh may not know it; write --shell bash\n"
    try Opool("map", "source ./x && echo {}", ":::", "a", "b").run().says("opool: 'source' \(hint)")
    let run = try Opool("run", "-").stdin(#"{"shell": "[[ a == a ]]"}"#).run()
    run.expect(
      stderr: "/bin/sh: 1: [[: not found\n-:1: 1: failed: exit code 127: [[ a == a ]]\n"
        + "opool: '[[' \(hint)opool: 0 succeeded, 1 failed in T\n",
      exit: 1
    )
    try Opool("map", "--shell", "bash", "[[ {} == a ]] && echo {}", ":::", "a").run()
      .expect("a\n", stderr: "opool: 1 succeeded in T\n")
  }

  @Test("a function that bash has exported is named as one, and executed by --shell bash")
  func functions() throws {
    let hint = "opool: 'f' is a function of bash; write --shell bash\n"
    let script = "f() { echo \"f $1\"; }; export -f f; opool"
    try Opool.shell("bash -c '\(script) map f ::: a'").run().says(hint)
    try Opool.shell("bash -c '\(script) map \"f {} | cat\" ::: a'").run().says(hint)
    try Opool.shell("bash -c '\(script) run'").stdin(#"{"run": ["f", "a"]}"#).run().says(hint)
    try Opool.shell("bash -c '\(script) map -q --shell bash f ::: a'").run().expect("f a\n")
  }

  @Test("a standard input that the inputs leave unread is said to be ignored")
  func ignoredInput() throws {
    let hint = "opool: the standard input is ignored: "
    try Opool.shell("printf 'a\\0b\\0' | opool map -0 echo :::").run().says(hint)
    try Opool.shell("seq 3 > f; opool map echo ::: < f").run().says(hint)
    // The command ends when the pipe has been filled.
    try Opool.shell(
      "mkfifo go; exec 3<>go; { echo a; echo b >&3; } | opool map 'read x < go; echo {}' ::: x"
    ).run().says(hint)
    for quiet in [
      "printf 'a\\n' | opool map echo", "opool map echo ::: x < /dev/null",
      "opool map -q echo ::: < f",
      "seq 3 | while read n; do opool map echo ::: $n; done", "seq 2 | opool map echo :::: - ::: a",
    ] {
      let run = try Opool.shell("seq 3 > f; \(quiet)").run()
      #expect(!run.stderr.contains("ignored"), "\(quiet): \(run.stderr)")
    }
  }

  @Test("a folder for temporary files that has control characters in its name moves no cursor")
  func temporaryFolder() throws {
    let run = try Opool.shell(
      #"TMPDIR=$(printf '/no\033]0;x\007\nopool: all is well') opool map true ::: 1"#
    ).run()
    run.says(#"opool: TMPDIR: mkstemp in /no\x1B]0;x\x07\nopool: all is well: No such file"#)
    #expect(!run.stderr.contains { "\u{1B}\u{7}".contains($0) })
  }

  @Test("the start of an option's name is answered by the options that begin so")
  func beginnings() throws {
    try Opool("map", "--keep", "echo", ":::", "a").run().says("did you mean '--keep-order'?")
    try Opool("map", "--retry", "1", "echo").run().says("write --retries N")
    try Opool("map", "--pro", "echo").run()
      .says("did you mean '--progress' or '--progress-every'?")
  }

  @Test("of attempts that are tried again, twenty have a line; all have one with -v")
  func retries() throws {
    let run = try Opool.shell("seq 30 | opool map --retries 1 false").run().expect("", exit: 1)
    #expect(run.stderr.matches(of: /trying again\n/).count == 20)
    run.says("… and 10 more attempts that failed and were tried again\n")
    let verbose = try Opool.shell("seq 30 | opool map -v --retries 1 false").run()
    #expect(verbose.stderr.matches(of: /trying again\n/).count == 30)
    #expect(!verbose.stderr.contains("more attempts"))
    let few = try Opool.shell("seq 20 | opool map --retries 1 false").run()
    #expect(few.stderr.matches(of: /trying again\n/).count == 20)
    #expect(!few.stderr.contains("more attempts"))
    let quiet = try Opool.shell("seq 30 | opool map -q --retries 1 false").run()
    #expect(!quiet.stderr.contains("again"))
  }

  @Test("Ctrl-C says on a terminal how to end at once")
  func interruption() throws {
    let run = try Opool.onTerminal(
      "exec opool map -j1 'trap \"\" TERM; read x < go' ::: a",
      pipes: ["go"]
    )
    #expect(run.terminal.wait { $0.transcript.contains("executing") })
    try run.terminal.type("\u{3}")
    #expect(run.terminal.wait { $0.transcript.contains("Ctrl-C again kills it") })
    try run.terminal.type("\u{3}")
    try run.wait().expect(exit: 130)
  }

  @Test("a command that wants the terminal is stopped by the system, and opool says so")
  func terminal() throws {
    let run = try Opool.onTerminal(
      "exec opool map -j1 --term-seq TERM,86400000,KILL 'read x < /dev/tty' ::: a"
    )
    let message = "opool: 1: is stopped: it wants the terminal, which no operation has"
    #expect(run.terminal.wait { $0.screen.lines.joined().contains(message) })
    try run.terminal.type("\u{3}")
    try run.wait().expect(exit: 130)
    // Only a command that is continued ends before the watchdog ends the test.
    #expect(run.terminal.transcript.contains("1 cancelled in "))
  }

  @Test("the help of journals has the exit codes of journals")
  func journal() throws {
    let help = try Opool("journal", "--help").run().expect(exit: 0).stdout
    #expect(help.contains("1  it is damaged, or no journal"))
    #expect(!help.contains("operation succeeded") && !help.contains("124"))
  }

  @Test("a letter that is none gets no hint; a word that is near gets one")
  func hints() throws {
    try Opool("map", "-Y", "echo").run().expect("", exit: 2)
      .says("unknown option: '-Y'\n       'opool map --help'")
    try Opool("map", "--retris", "2", "echo").run().expect("", exit: 2)
      .says("did you mean '--retries'?")
  }
}

/// The shell of command lines.
@Suite("--shell")
struct ShellOptionTests {
  @Test("it executes lines of map and of manifests, and words as one line of it")
  func lines() throws {
    try Opool.shell("opool map --shell bash 'echo {} ${BASH_VERSION:0:0}' ::: \"a'b\"").run()
      .expect("a'b\n")
    try Opool("run", "-k", "--shell", "bash").stdin(
      #"{"shell": "a=(1 2); echo ${#a[@]}"}"# + "\n" + #"{"run": ["echo", "$x"]}"#
    ).run().expect("2\n$x\n", stderr: "opool: 2 succeeded in T\n")
  }

  @Test("a function that bash exports is a command")
  func functions() throws {
    let script = """
      greet() { echo "hello $1"; }; export -f greet
      opool map -k --shell bash greet ::: 'a b' '$(touch pwned)' "it's"
      opool map --shell "$BASH" 'greet {} && :' ::: c
      """
    try Opool.shell(script, by: "/bin/bash").run()
      .expect("hello a b\nhello $(touch pwned)\nhello it's\nhello c\n")
  }

  @Test("another program is refused", arguments: ["fish", "/bin/csh", "", "bash -x", "/bin/"])
  func others(name: String) throws {
    try Opool("map", "--shell", name, "true", ":::", "1").run().expect("", exit: 2)
      .says("--shell needs one of sh, bash, dash, ash, ksh, mksh, zsh, or a path of one")
  }

  @Test("one that is not there fails the operation, and names itself")
  func missing() throws {
    try Opool("map", "--shell", "./zsh", "echo {} && :", ":::", "1").run().expect("", exit: 1)
      .says("./zsh: No such file or directory")
  }
}
