import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// How commands end, and what their answers say.
@Suite("Commands")
struct CommandTests {
  /// The answer names the exit code or the signal; usage comes along; nothing else is said.
  @Test("A command succeeds, fails by its exit code, or dies of a signal")
  func ends() throws {
    let worker = try WorkerHarness()
    let success = try worker.answer(to: worker.shell("echo out; echo err >&2"))
    #expect(success.failure == nil)
    #expect(success.outputText == "out\n")
    #expect(success.errorText == "err\n")
    #expect((success.usage?.peakMemoryBytes ?? 0) > 0)
    let exit = try worker.answer(to: worker.shell("exit 3"))
    #expect(exit.failure == Failure(cause: .exit, message: "exit code 3", code: 3))
    #expect(exit.standardOutput == nil)
    let signal = try worker.answer(to: worker.shell("kill -SEGV $$"))
    #expect(signal.failure == Failure(cause: .signal, message: "signal 11 (SIGSEGV)", code: 11))
    worker.send(.ping(1))
    #expect(try worker.next() == .pong(1))
  }

  /// The time lies between what the test has measured inside and outside of the execution.
  @Test("The answer has the time that the execution took", arguments: [true, false])
  func elapsed(isCommand: Bool) throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness(isCommand ? "opool-worker" : "test-worker")
    let start = MonotonicClock.now
    let operation =
      isCommand ? worker.shell(": < \(place.path)") : worker.operation("logUntilCancelled", "{}")
    worker.send(.execute(operation))
    #expect(try worker.next() == .executing(operation.reference, nil))
    // Its process, or its line, comes from within.
    _ = try worker.next()
    let began = MonotonicClock.now
    while MonotonicClock.now < began + .milliseconds(5) {}
    let inside = MonotonicClock.now - began
    if isCommand {
      try place.release()
    } else {
      worker.send(.cancel(operation.reference, .standard))
    }
    let answer: Answer? =
      switch try worker.next() {
      case .finished(_, let answer), .cancelled(_, let answer, _): answer
      default: nil
      }
    let elapsed = try #require(answer?.elapsed) * 1_000
    #expect(elapsed >= inside - 1_000 && elapsed <= MonotonicClock.now - start)
  }

  /// What cannot be executed is named, with the system's reason; the worker goes on.
  @Test("A command that cannot be started says what and why")
  func refusals() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let plain = try place.script("#!/bin/sh\n", mode: "644")
    let cases: [(CommandPayload, String)] = [
      (CommandPayload(run: "no-such-program"), "no-such-program: not found on PATH"),
      (CommandPayload(run: ""), ": not found on PATH"),
      (CommandPayload(run: "/no/such"), "/no/such: No such file or directory"),
      (CommandPayload(run: plain), "\(plain): Permission denied"),
      (CommandPayload(run: "/tmp"), "/tmp: Permission denied"),
      (CommandPayload(run: "true", in: "/no/such"), "cwd: /no/such: No such file or directory"),
      (CommandPayload(run: "true", in: plain), "cwd: \(plain): Not a directory"),
      (
        CommandPayload(run: "echo", "cut\u{0}here"),
        "cut: a zero byte follows, which no command can take"
      ),
    ]
    for (payload, message) in cases {
      let answer = try worker.answer(to: worker.command(payload))
      #expect(answer.failure == Failure(cause: .spawn, message: message))
      #expect(answer.usage == nil)
    }
  }

  /// As `execvp` does: a script without a first line is the shell's.
  @Test("A script without an interpreter line is executed by the shell")
  func scripts() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let plain = try place.script("echo \"shell $1\"\n", mode: "755")
    let answer = try worker.answer(to: worker.command(CommandPayload(run: plain, "argument")))
    #expect(answer.outputText == "shell argument\n")
    let broken = try place.script("#!/no/such/interpreter\n", mode: "755")
    let refusal = try worker.answer(to: worker.command(CommandPayload(run: broken)))
    let reason = "the interpreter that its first line names was not found"
    #expect(refusal.failure?.message == "\(broken): \(reason)")
  }

  /// A cached place is looked for again where the program is gone from it.
  @Test("PATH is searched in the operation's own environment, and again when a program moved")
  func path() throws {
    let script = Rendezvous.scriptName
    let worker = try WorkerHarness()
    let first = try Rendezvous()
    let second = try Rendezvous()
    _ = try first.script("#!/bin/sh\necho first\n", mode: "755")
    _ = try second.script("#!/bin/sh\necho second\n", mode: "755")
    let path = "\(first.folder.path):\(second.folder.path):/usr/bin:/bin"
    let payload = CommandPayload(run: script, environment: ["PATH": path])
    #expect(try worker.answer(to: worker.command(payload)).outputText == "first\n")
    try FileManager.default.removeItem(at: first.folder.appending(path: script))
    #expect(try worker.answer(to: worker.command(payload)).outputText == "second\n")
    let elsewhere = try worker.answer(to: worker.command(CommandPayload(run: script)))
    #expect(elsewhere.failure?.cause == .spawn)
    let relative = CommandPayload(
      run: script,
      in: second.folder.deletingLastPathComponent().path,
      environment: ["PATH": second.folder.lastPathComponent]
    )
    #expect(try worker.answer(to: worker.command(relative)).errorText == nil)
    #expect(try worker.answer(to: worker.command(relative)).outputText == "second\n")
  }

  /// Linux counts the peak of the worker as that of a command that it starts.
  @Test(
    "A command's peak of memory is not that of a large input before it",
    .disabled(if: Sanitizer.isThere, "it keeps what is freed")
  )
  func peak() throws {
    let worker = try WorkerHarness()
    let input = [UInt8](repeating: 0x61, count: 40 << 20)
    let large = worker.command(CommandPayload(run: "wc", "-c", input: input))
    #expect(try worker.answer(to: large).outputText == "\(input.count)\n")
    // The memory of the large frame is free again when the next one has come.
    _ = try worker.answer(to: worker.shell("true"))
    let usage = try worker.answer(to: worker.shell("true")).usage
    #expect((usage?.peakMemoryBytes ?? .max) < input.count)
  }

  /// A coordinator learns which process executes before anything can go wrong.
  @Test("Executing is said before the command starts, and its process group right after")
  func truth() throws {
    let worker = try WorkerHarness()
    let first = worker.shell("true")
    let second = worker.shell("kill -KILL $PPID")
    let third = worker.shell("echo never")
    worker.send(.execute(first), .execute(second), .execute(third))
    _ = try worker.finish(of: first)
    #expect(try worker.next() == .executing(second.reference, nil))
    if let message = try worker.next() {
      guard case .executing(second.reference, .some(let group)) = message else {
        throw HarnessError(text: "unexpected \(message)")
      }
      #expect(group.pid == group.group)
      #expect(try worker.next() == nil)
    }
    #expect(try worker.end() == .signaled(9))
  }
}

extension CommandPayload {
  /// A program with its arguments.
  init(
    run words: String...,
    in directory: String? = nil,
    environment: KeyValuePairs<String, String> = [:],
    input: [UInt8] = []
  ) {
    self.init(
      .run(words.map { Array($0.utf8) }),
      directory: directory.map { Array($0.utf8) },
      environment: environment.map {
        Variable(name: Array($0.key.utf8), value: Array($0.value.utf8))
      },
      standardInput: .bytes(input)
    )
  }
}
