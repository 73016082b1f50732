import PoolSystem
import PoolTestSupport
import Testing

/// What a terminal, a shell or a user may want of a run beside its end.
@Suite("Signals and limits")
struct SignalTests {
  /// The pipes are opened for both directions first, so that neither side waits for the other to
  /// open.
  @Test("After a hang-up what executes is finished, and nothing else begins")
  func hangUp() throws {
    let run = try Opool.shell(
      """
      mkfifo up go said; exec 3<>said 4<>up 5<>go
      opool map -j1 --results results 'echo up > up; read x < go; echo {}' ::: a b 2> said &
      read line <&4; kill -HUP $!; read line <&3; echo go >&5; wait $!
      echo "$?: $line"
      """
    ).run()
    run.expect("a\n129: opool: hung up: what executes is finished, and nothing else begins\n")
    #expect(try run.resultsByID().mapValues(\.outcome) == ["1": "succeeded", "2": "cancelled"])
  }

  /// The command may have begun before the run knows, so it is asked until it does.
  @Test("SIGUSR1 has a quiet run say what executes, and the run goes on")
  func status() throws {
    let run = try Opool.shell(
      """
      mkfifo up go said; exec 3<>said 4<>up 5<>go
      opool map -q -j1 'echo up > up; read x < go; echo {}' ::: a 2> said &
      read line <&4
      until [ "${line%,*}" = 'opool: 0/1, 1 executing' ]; do kill -USR1 $!; read line <&3; done
      read what <&3; echo go >&5; wait $!
      echo "$?: ${line%,*}"; echo "${what%% (pid*} for ${what#*) for 0:0?: }"
      """
    ).run()
    run.expect(
      """
      a
      0: opool: 0/1, 1 executing
      opool: executing on worker 1 for 1 (a)

      """
    )
  }

  @Test("After a hang-up, what ends the executing operations says how the run ended")
  func hangUpThenEnd() throws {
    let run = try Opool.shell(
      """
      mkfifo up said; exec 3<>said 4<>up
      opool map -j1 'echo up > up; exec sleep 1000 {}' ::: a 2> said &
      read line <&4; kill -HUP $!; read line <&3; kill -TERM $!; wait $!
      echo $?
      """
    ).run()
    run.expect("143\n")
  }

  @Test("SIGUSR1 does not end a run that waits for its manifest")
  func earlyStatus() throws {
    let run = try Opool.shell(
      """
      mkfifo f; opool run -q f & exec 3>f; kill -USR1 $!
      echo '{"run":["echo","a"]}' >&3; exec 3>&-; wait $!
      echo $?
      """
    ).run()
    run.expect("a\n0\n")
  }

  @Test("A run that was started to survive a hang-up does")
  func noHangUp() throws {
    let run = try Opool.shell(
      "trap '' HUP; export OPOOL=$$; exec opool map -q 'kill -HUP $OPOOL; echo {}' ::: a"
    ).run()
    run.expect("a\n")
  }

  @Test("An interruption that the caller ignores does not end a run, as of a background job")
  func ignoredInterruption() throws {
    let line = "kill -INT $OPOOL; echo {}"
    try Opool.shell("trap '' INT; export OPOOL=$$; exec opool map -q '\(line)' ::: a").run()
      .expect("a\n")
  }

  /// Each signal waits for more steps of the script than the one before.
  ///
  /// So it comes at another moment of the start. While the system loads the libraries, the signal
  /// ends the process itself.
  @Test(
    "SIGQUIT at any moment of a start ends the run, without a report of Swift's",
    .needsPython
  )
  func earlyQuit() throws {
    let script = """
      import signal, subprocess
      signal.signal(signal.SIGQUIT, signal.SIG_DFL)
      for number in range(30):
          command = ["opool", "map", "sleep", "1000", ":::", "1"]
          pool = subprocess.Popen(command, stderr=subprocess.PIPE)
          for step in range(number * 20000): pass
          pool.send_signal(signal.SIGQUIT)
          text = pool.communicate()[1].lower()
          assert pool.returncode in (131, -signal.SIGQUIT), (pool.returncode, text)
          assert b"crash" not in text and b"backtrace" not in text, text
      """
    try Opool.shell("python3 quit.py; true").file("quit.py", script).run().expect("", stderr: "")
  }

  @Test("SIGUSR1 before a run begins is answered when it has begun")
  func earlyQuestion() throws {
    let run = try Opool.shell(
      """
      mkfifo f; opool run -q f & exec 3>f; kill -USR1 $!
      echo '{"run":["echo","a"]}' >&3; exec 3>&-; wait $!
      """
    ).run()
    // The manifest's line may not have been read yet.
    run.expect("a\n").says("opool: 0/")
  }

  @Test("The commands of a run that was started to survive a hang-up survive one, too")
  func noHangUpOfCommands() throws {
    let run = try Opool.shell(
      "trap '' HUP; opool map -q 'kill -HUP $$; echo {}' ::: a; trap - HUP; "
        + "opool map -q 'kill -HUP $$; echo {}' ::: b"
    ).run()
    run.expect(
      "a\n",
      stderr: "opool: 1 (b): failed: signal 1 (SIGHUP): kill -HUP $$; echo 'b'\n",
      exit: 1
    )
  }

  /// A service manager or a batch system sends it to all processes at once; here the command does.
  private static let signalAll =
    "read -r s < /proc/$PPID/stat; g=${s##*) ? }; g=${g%% *}; "
    + "for n in HUP INT QUIT TERM USR1 USR2; do kill -$n $PPID $g; done"

  @Test("A signal that is sent to workers and guardians, too, costs no operation")
  func toAll() throws {
    let run = try Opool("map", "-q", "-j1", "sh", "job", ":::", "a", "b", "c")
      .file("job", "\(Self.signalAll); echo $1 $PPID").run()
    let words = run.expect(stderr: "").stdout.split(whereSeparator: \.isWhitespace)
    #expect(words.count == 6 && Set(words).count == 4, "one worker executes all three: \(words)")
  }

  @Test("A signal that ends the run, sent to all of its processes, leaves commands their grace")
  func endOfAll() throws {
    let job = "trap 'echo tidy; exit 3' TERM; \(Self.signalAll); echo up > up; sleep 1000 & wait"
    let run = try Opool.shell(
      """
      mkfifo up; exec 4<>up; opool map -q -j1 --results results sh job ::: a &
      read line <&4; kill $!; wait $!
      echo $?
      """
    ).file("job", job).run()
    run.expect("tidy\n143\n")
    #expect(try run.resultsByID().mapValues(\.ending) == ["1": "cancelled cancelled 3"])
  }

  /// Such a parent's children have their own children reaped by the system, unless they object.
  @Test("A run that was started with SIGCHLD ignored learns how its commands end", .needsPython)
  func ignoredEnds() throws {
    let script = """
      import os, signal
      signal.signal(signal.SIGCHLD, signal.SIG_IGN)
      os.execvp("opool", ["opool", "map", "-q", "echo {}; exit {}", ":::", "0", "3"])
      """
    try Opool.shell("python3 ignore.py | sort; true").file("ignore.py", script).run()
      .expect("0\n3\n", stderr: "opool: 2 (3): failed: exit code 3: echo '3'; exit '3'\n")
  }

  /// The parent waits until it has stopped, and continues it; `LoopSceneTests` shows that no
  /// timeout runs meanwhile.
  ///
  /// A terminal signals the whole group: opool is its leader, or a script that it was started by
  /// is.
  @Test(
    "Stopped by the terminal, all stops, and goes on",
    .needsPython,
    arguments: ["'opool'", "'sh', '-c', 'opool \"$@\"; exit $?', 'sh'"]
  )
  func stopped(_ program: String) throws {
    let script = """
      import os, select, signal, subprocess, sys, time
      command = (
          "exec 3<>told 4<>go; trap 'echo $$ >&3; kill -STOP $$' TSTP;"
          "echo up > up; read x <&4; echo {}")
      for name in ["up", "told", "go"]: os.mkfifo(name)
      told, go = os.open("told", os.O_RDWR), os.open("go", os.O_RDWR)
      pool = subprocess.Popen([\(program), "map", command, ":::", "a"], preexec_fn=os.setpgrp)
      open("up").read()
      # The coordinator may not have heard of the command's group yet.
      os.killpg(pool.pid, signal.SIGTSTP)
      stopped = os.WIFSTOPPED(os.waitpid(pool.pid, os.WUNTRACED)[1])
      if not select.select([told], [], [], 100)[0]:
          os.killpg(pool.pid, signal.SIGKILL)
          sys.exit("the command has not stopped")
      # The signal to itself comes after its word.
      stat = "/proc/" + os.read(told, 16).decode().strip() + "/stat"
      while open(stat).read().rsplit(") ")[1][0] != "T": os.sched_yield()
      print("stopped", stopped, flush=True)
      os.killpg(pool.pid, signal.SIGCONT)
      os.write(go, b"go\\n")
      sys.exit(pool.wait())
      """
    let run = try Opool.shell("python3 stop.py").file("stop.py", script).run()
    run.expect("stopped True\na\n", stderr: "opool: 1 succeeded in T\n")
  }

  @Test("At its deadline a run ends as by a signal, and says so")
  func deadline() throws {
    let run = try Opool(
      "map",
      "-j1",
      "--deadline",
      "0.2",
      "--results",
      "results",
      "sleep {}",
      ":::",
      "1000",
      "0"
    ).run()
    run.expect(
      "",
      stderr: "opool: the deadline has passed\nopool: 0 succeeded, 2 cancelled in T\n",
      exit: 124
    )
    #expect(try run.resultsByID().mapValues(\.outcome) == ["1": "cancelled", "2": "cancelled"])
  }

  @Test("A run that is over before its deadline knows nothing of it")
  func inTime() throws {
    try Opool("map", "-q", "--deadline", "1000", "echo {}", ":::", "a").run().expect("a\n")
    // Longer than a clock can count.
    try Opool("map", "-q", "--deadline", "99999999h", "echo {}", ":::", "a").run().expect("a\n")
  }

  /// It would have been asked, and given three seconds.
  @Test("A run's own teardown sequence is the one that is climbed")
  func teardown() throws {
    let command = "trap 'echo tidy' TERM; echo up > up; while :; do sleep 1000; done; : {}"
    let opool = try Opool(
      "map",
      "--term-seq",
      "KILL",
      "--results",
      "results",
      command,
      ":::",
      "a"
    )
    try RunningOpool.makePipe(opool.folder.path(of: "up"))
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    running.signal(.interrupt)
    let run = try running.wait().expect("", exit: 130)
    #expect(try run.resultsByID()["1"]?.message == "it was cancelled, and ended on SIGKILL")
  }
}
