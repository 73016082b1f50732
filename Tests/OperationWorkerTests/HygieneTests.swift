import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// What operations do to descriptors and signals harms no other code.
@Suite("The worker's hygiene")
struct HygieneTests {
  /// A stray line goes to the standard error stream, and no frame is hurt.
  @Test("An operation that prints harms nothing")
  func printing() throws {
    let worker = try WorkerHarness("test-worker")
    for _ in 0..<3 {
      #expect(try worker.answer(to: worker.operation("print")).resultText == "null")
    }
    worker.closeInput()
    #expect(try worker.next() == nil)
    #expect(worker.errorText.components(separatedBy: "a stray line").count == 4)
  }

  /// The frames that follow are not there to be read.
  @Test("An operation that reads its standard input finds it empty")
  func reading() throws {
    let worker = try WorkerHarness("test-worker")
    let read = worker.operation("readStdin")
    let after = worker.operation("noop")
    worker.send(.execute(read), .execute(after))
    #expect(try worker.finish(of: read).resultText == "0")
    #expect(try worker.finish(of: after).resultText == "null")
  }

  /// The pipes end when the worker does, whatever process it left behind.
  @Test("A process that a worker left behind holds none of its pipes")
  func grandchild() throws {
    let worker = try WorkerHarness("test-worker")
    let answer = try worker.answer(to: worker.operation("grandchild"))
    let child = ProcessSignal.kill
    let pid = try #require(Int32(answer.resultText ?? ""))
    defer { child.send(toProcess: pid) }
    worker.closeInput()
    #expect(try worker.next() == nil)
    #expect(try worker.end() == .exited(0))
    // Signal 0 asks whether the process is there.
    #expect(ProcessSignal(0).send(toProcess: pid))
  }

  /// A command has its three streams, and nothing of the worker's or of the worker's parent.
  @Test("A command inherits no descriptor but its own three")
  func descriptors() throws {
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    let worker = try WorkerHarness()
    let answer = try worker.answer(to: worker.command(CommandPayload(run: "ls", "/proc/self/fd")))
    // The last one is the folder that it lists.
    #expect(answer.outputText == "0\n1\n2\n3\n")
    // The worker itself has it still.
    #expect(FileManager.default.fileExists(atPath: "/proc/\(worker.pid)/fd/\(inherited)"))
  }

  @Test("Both ends of a pipe are closed when a program is executed")
  func pipe() throws {
    let ends = try Descriptors.pipe()
    for end in [ends.read, ends.write] {
      #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
      Descriptors.close(end)
    }
  }

  /// Whatever the worker ignores or holds back, its commands start afresh.
  @Test("A command starts with no signal ignored, caught or held back")
  func signals() throws {
    let worker = try WorkerHarness()
    let payload = CommandPayload(run: "cat", "/proc/self/status")
    let answer = try worker.answer(to: worker.command(payload))
    #expect(SignalState(status: answer.outputText ?? "") == SignalState.untouched)
  }

  /// What a program handles could even run in the child that is about to be the command.
  @Test("A signal that a program ignores after its first command is not ignored by the next")
  func laterSignals() throws {
    var launcher = CommandLauncher()
    for isIgnored in [false, true] {
      let output = try TemporaryFile.open()
      defer { Descriptors.close(output) }
      // One that has no effect, also where it is not ignored.
      if isIgnored { signal(SIGURG, SIG_IGN) }
      defer { if isIgnored { signal(SIGURG, SIG_DFL) } }
      let process = try launcher.start(
        CommandDescription(
          arguments: ["cat", "/proc/self/status"].map { Array($0.utf8) },
          environment: .current,
          standardOutput: output
        )
      )
      process.waitForEnd()
      _ = try process.reap()
      #expect(SignalState(status: try Programs.content(of: output)) == SignalState.untouched)
    }
  }

  /// Each command leads a group of its own, which is not the worker's.
  @Test("A command leads a process group of its own")
  func groups() throws {
    let worker = try WorkerHarness()
    let operation = worker.shell("cut -d' ' -f5 /proc/$$/stat; echo $$")
    worker.send(.execute(operation))
    let group = try worker.group(of: operation)
    guard case .finished(operation.reference, let answer) = try worker.next() else {
      throw HarnessError(text: "no 'finished' came")
    }
    #expect(answer.outputText == "\(group.pid)\n\(group.pid)\n")
    #expect(group.group == group.pid)
  }
}

/// What a process does about signals, as Linux shows it in `/proc/PID/status`.
struct SignalState: Hashable {
  var blocked: UInt64?
  var ignored: UInt64?
  var caught: UInt64?

  /// A process that does nothing about any signal.
  static let untouched = Self(blocked: 0, ignored: 0, caught: 0)

  /// The two signals, 32 and 33, by which the C library manages threads; it sets them itself.
  private static let internalSignals: UInt64 = 0b11 << 31
}

extension SignalState {
  /// Reads the text of such a file.
  init(status: String) {
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":\t")
      guard parts.count == 2, let bits = UInt64(parts[1], radix: 16) else { continue }
      switch parts[0] {
      case "SigBlk": blocked = bits & ~Self.internalSignals
      case "SigIgn": ignored = bits & ~Self.internalSignals
      case "SigCgt": caught = bits & ~Self.internalSignals
      default: break
      }
    }
  }
}
