import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker

/// The program that stands between a foreign worker and its coordinator.
@Suite("opool-worker launch")
struct LaunchTests {
  private func launch(_ words: String..., input: String = "") throws -> Programs.Output {
    try Programs.run("opool-worker", ["launch", "--"] + words, input: input)
  }

  /// The launcher's parent sees the command's status.
  @Test("The command's exit code or signal is passed on")
  func status() throws {
    #expect(try launch("sh", "-c", "exit 7").status == .exited(7))
    #expect(try launch("true").status == .exited(0))
    #expect(try launch("sh", "-c", "kill -KILL $$").status == .signaled(9))
    #expect(try launch("sh", "-c", "kill -SEGV $$").status == .signaled(11))
  }

  @Test(
    "What a command leaves is ended with it, unless it exits with 0",
    .enabled(if: Subreaper() != nil, "needs adopted orphans"),
    arguments: [("exit 0", true), ("exit 3", false), ("kill -KILL $$", false)]
  )
  func leftovers(_ end: String, _ livesOn: Bool) throws {
    let output = try launch("sh", "-c", "sleep 1000 </dev/null >/dev/null 2>&1 & echo $!; \(end)")
    let process = try #require(Int32(output.text.dropLast()))
    #expect((kill(process, 0) == 0) == livesOn)
    if livesOn { kill(process, SIGKILL) }
  }

  /// The data path is the command's alone.
  @Test("The command speaks on the launcher's own streams")
  func streams() throws {
    let output = try launch("sh", "-c", "cat; echo problem >&2", input: "text\n")
    #expect(output.text == "text\n")
    #expect(output.errors == "problem\n")
  }

  /// As a shell does: 127 for what is not there, 126 for what cannot be executed.
  @Test("A command that cannot be started is named, with a shell's exit code")
  func refusals() throws {
    let missing = try launch("no-such-program")
    #expect(missing.status == .exited(127))
    #expect(missing.errors == "opool-worker: no-such-program: not found on PATH\n")
    let folder = try launch("/tmp")
    #expect(folder.status == .exited(126))
    #expect(folder.errors == "opool-worker: /tmp: Permission denied\n")
  }

  /// What the launcher keeps open for its own parent does not reach the command.
  @Test("No other descriptor reaches the command, and no signal is ignored or held back")
  func hygiene() throws {
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    #expect(try launch("ls", "/proc/self/fd").text == "0\n1\n2\n3\n")
    let status = try launch("cat", "/proc/self/status").text
    #expect(SignalState(status: status) == SignalState.untouched)
  }

  /// A worker behind the launcher is a worker like any other.
  @Test("A worker can be launched")
  func worker() throws {
    let path = Repository.program("opool-worker").path
    let worker = try WorkerHarness("opool-worker", ["launch", "--", path])
    #expect(try worker.answer(to: worker.shell("echo through")).outputText == "through\n")
    worker.closeInput()
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(0))
  }

  /// The worker's own guardian ignores the signal of another process.
  ///
  /// While that is pending, the same signal of the launcher would be lost.
  @Test(
    "A launched worker is asked to end, although its guardian has a signal of another process",
    .enabled(if: Subreaper() != nil, "needs guardians")
  )
  func requestBesideSignal() throws {
    let path = Repository.program("opool-worker").path
    let worker = try WorkerHarness("opool-worker", ["launch", "--", path])
    #expect(try worker.answer(to: worker.shell("true")).failure == nil)
    let launcher = worker.process.identifier
    let guardian = try #require(ProcessStatus.children(of: launcher).first)
    #expect(Guardian.isOne(launcher) && Guardian.isOne(guardian))
    #expect(ProcessSignal.stop.send(toProcess: guardian))
    while !ProcessStatus.isStopped(guardian) { SystemThread.yieldProcessor() }
    #expect(ProcessSignal.terminate.send(toProcess: guardian))
    Guardian.send(.terminate, toWorkerOf: launcher)
    while !waitsForSignals(launcher) { SystemThread.yieldProcessor() }
    #expect(ProcessSignal.continue.send(toProcess: guardian))
    #expect(try worker.end() == .signaled(15))
  }

  /// Whether the process has handled all signals that it was sent.
  private func waitsForSignals(_ process: Int32) -> Bool {
    let path = "/proc/\(process)/status"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
    let fields = text.split(separator: "\n").map { $0.split(separator: "\t") }
    func value(_ name: String) -> Substring? { fields.first { $0.first == name[...] }?.last }
    // A process that handles a signal is not asleep.
    return value("State:")?.first == "S" && value("ShdPnd:")?.allSatisfy { $0 == "0" } == true
  }

  /// Each signal that asks something reaches the command, which may answer as it likes.
  @Test("Signals are forwarded", arguments: ["TERM", "INT", "HUP", "QUIT", "USR1", "USR2"])
  func forwarding(name: String) throws {
    let place = try Rendezvous()
    let script = """
      trap 'exit 42' \(name)
      sleep 1000 &
      echo ready >\(place.path)
      wait
      """
    let path = Repository.program("opool-worker").path
    let process = try Programs.start([path, "launch", "--", "sh", "-c", script])
    let watchdog = Watchdog { process.send(.kill) }
    #expect(try place.reader().readToEnd() == Data("ready\n".utf8))
    let signals: [String: ProcessSignal] = [
      "TERM": .terminate, "INT": .interrupt, "HUP": .hangUp, "QUIT": .quit, "USR1": .user1,
      "USR2": .user2,
    ]
    let signal = try #require(signals[name])
    #expect(signal.send(toProcess: process.identifier))
    process.waitForEnd()
    // What the shell left in its group.
    process.send(.kill)
    #expect(try withExtendedLifetime(watchdog) { try process.reap().0 } == .exited(42))
  }

  /// A parent that dies without a word leaves nothing behind, not even what ignores SIGTERM.
  @Test("The launcher and its command end when the launcher's parent dies")
  func orphans() throws {
    let place = try Rendezvous()
    let worker = Repository.shellWord("opool-worker")
    let command = "exec 9>\(place.path); trap '' TERM; echo ready >&9; exec sleep 1000"
    // The shell is the parent: it has something to do after the launcher, and so does not
    // become it.
    let line = "\(worker) launch -- sh -c \"\(command)\"; exit 1"
    let parent = try Programs.start(["/bin/sh", "-c", line])
    let watchdog = Watchdog { parent.send(.kill) }
    let reader = try place.reader()
    #expect(try reader.read(upToCount: 6) == Data("ready\n".utf8))
    ProcessSignal.kill.send(toProcess: parent.identifier)
    // The pipe ends when the command does.
    #expect(try reader.readToEnd() ?? Data() == Data())
    parent.waitForEnd()
    #expect(try withExtendedLifetime(watchdog) { try parent.reap().0 } == .signaled(9))
  }

  /// The parent died before the launcher could ask for a signal at its death: another process,
  /// which need not be process 1, is the parent by then.
  @Test("The launcher ends at once where its parent is not the process that it was told of")
  func orphanFromTheStart() throws {
    let dead = try Programs.run(
      "opool-worker",
      [
        "launch", "--parent=\(Int32.max)", "--", "sleep", "1000",
      ]
    )
    #expect(dead.status == .signaled(15))
    let parent = "--parent=\(CurrentProcess.identifier)"
    let living = try Programs.run("opool-worker", ["launch", parent, "--", "sh", "-c", "exit 7"])
    #expect(living.status == .exited(7))
  }
}

extension WorkerArguments {
  fileprivate var isWrong: Bool {
    if case .wrong = self { true } else { false }
  }
}

/// What the arguments of `opool-worker` mean.
@Suite("The arguments of opool-worker")
struct WorkerArgumentsTests {
  private func parse(_ words: String...) -> WorkerArguments {
    WorkerArguments(words.map { Array($0.utf8) })
  }

  /// Each form stands alone; everything else is refused.
  @Test("Arguments are told apart")
  func forms() {
    #expect(parse() == .serve())
    #expect(parse("--help") == .help)
    #expect(parse("--version") == .version)
    let command = ["a", "--", "--help"].map { Array($0.utf8) }
    #expect(parse("launch", "--", "a", "--", "--help") == .launch(command, parent: nil))
    #expect(parse("launch", "--parent=1", "--", "a", "--", "--help") == .launch(command, parent: 1))
    let journal = Array("j=1".utf8)
    #expect(parse("--journal=j=1") == .serve(journal: journal))
    #expect(
      parse("launch", "--parent=1", "--journal=j=1", "--", "a", "--", "--help")
        == .launch(command, parent: 1, journal: journal)
    )
    #expect(parse("--journal=j=1", "--pass-fd=3,40") == .serve(journal: journal, passing: [3, 40]))
    #expect(parse("--pass-fd=3") == .serve(passing: [3]))
    #expect(parse("--slots=4") == .relay(slots: 4, command: []))
    #expect(
      parse("--slots=1024", "--", "a", "--", "--help") == .relay(slots: 1_024, command: command)
    )
    for count in ["", "0", "-1", "1025", "x"] { #expect(parse("--slots=\(count)").isWrong) }
    for word in ["--", "a", "--journal=j"] { #expect(parse("--slots=4", word).isWrong) }
    for list in ["", "2", "3,", "x", "-3", "3 4"] { #expect(parse("--pass-fd=\(list)").isWrong) }
    #expect(parse("--journal").isWrong)
    #expect(parse("--parent=1").isWrong)
    #expect(parse("launch", "--parent=", "--", "a").isWrong)
    #expect(parse("launch", "--parent=1", "a") == .wrong("'launch' needs '--'"))
    #expect(parse("launch", "--parent=1", "--") == .wrong("'launch --' needs a command"))
    #expect(parse("launch", "a") == .wrong("'launch' needs '--'"))
    #expect(parse("launch") == .wrong("'launch' needs '--'"))
    #expect(parse("launch", "--") == .wrong("'launch --' needs a command"))
    #expect(parse("serve") == .wrong("'serve' is not known"))
    #expect(parse("--help", "x") == .wrong("'--help' stands alone"))
  }

  /// Help goes to the standard output; a mistake to the other stream, with exit code 2.
  @Test("Help and version succeed, mistakes exit with 2")
  func codes() throws {
    let help = try Programs.run("opool-worker", ["--help"])
    #expect(help.status == .exited(0))
    #expect(help.text == WorkerArguments.helpText + "\n")
    let version = try Programs.run("opool-worker", ["--version"])
    #expect(version.text == WorkerArguments.versionText + "\n")
    let wrong = try Programs.run("opool-worker", ["--workers"])
    #expect(wrong.status == .exited(2))
    #expect(wrong.text.isEmpty)
    #expect(wrong.errors.hasPrefix("opool-worker: '--workers' is not known\nusage: "))
  }
}
