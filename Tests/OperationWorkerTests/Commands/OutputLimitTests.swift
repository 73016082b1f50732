import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// Contract: of an output with a limit, a worker keeps no more; where more is a failure, it ends
/// the command.
@Suite("Limits of command outputs")
struct OutputLimitTests {
  private func shell(
    _ worker: WorkerHarness,
    _ line: String,
    output: OutputLimit = .none,
    error: OutputLimit = .none
  ) -> Execute {
    let payload = CommandPayload(.shell(Array(line.utf8)))
    return worker.operation(
      "command",
      String(decoding: payload.json, as: UTF8.self),
      with: .of(limits: OutputLimits(output: output, error: error))
    )
  }

  private func fails(at count: Int) -> OutputLimit { OutputLimit(byteCount: count, fails: true) }
  private func truncates(at count: Int) -> OutputLimit {
    OutputLimit(byteCount: count, fails: false)
  }

  /// The answer, and the output that came before it or in its file.
  private func finish(
    _ operation: Execute,
    _ worker: WorkerHarness
  ) throws -> (answer: Answer, output: [UInt8]) {
    worker.send(.execute(operation))
    var bytes: [UInt8] = []
    while let message = try worker.next() {
      if case .output(operation.reference, let chunk) = message { bytes += chunk.bytes }
      guard case .finished(operation.reference, let answer) = message else { continue }
      switch answer.standardOutput {
      case .inline(let rest): bytes += rest
      case .file(let descriptor, let count):
        let file = try ProcessDescriptor.open(descriptor, of: worker.pid)
        defer { Descriptors.close(file) }
        #expect(try Descriptors.size(of: file) == count)
        bytes += try SystemIO.readAll(file)
      case nil: break
      }
      return (answer, bytes)
    }
    throw HarnessError(text: "the worker ended: \(worker.errorText)")
  }

  /// In the answer, in memory and in a file.
  @Test(
    "A command that never ends is ended when its output is over the limit, and the limit is kept",
    arguments: [0, 1, 5_000, 65_536, 65_537, 300_000],
    [true, false]
  )
  func runaway(limit: Int, acceptsFiles: Bool) throws {
    let worker = try WorkerHarness(acceptsFiles: acceptsFiles)
    let operation = shell(worker, "exec yes", output: fails(at: limit))
    let (answer, output) = try finish(operation, worker)
    let failure = try #require(answer.failure)
    #expect(failure.cause == .outputLimit && failure.code == nil)
    #expect(
      failure.message
        == "its output has more than \(limit) bytes, which is its limit; signal 13 (SIGPIPE)"
    )
    #expect(output == (0..<limit).map { UInt8(ascii: $0 % 2 == 0 ? "y" : "\n") })
    #expect(try #require(answer.written.output) > limit)
    #expect(answer.written.error == nil)
    // The next command has limits of its own.
    worker.send(.release(operation.reference))
    #expect(try worker.answer(to: worker.shell("echo next")).outputText == "next\n")
  }

  @Test("Each output has a limit of its own, and each excess is named")
  func both() throws {
    let worker = try WorkerHarness()
    let line = "printf 12345; printf 123456 >&2"
    let error = try finish(shell(worker, line, error: fails(at: 5)), worker).answer
    #expect(error.failure?.message.hasPrefix("its error output has more than 5 bytes") == true)
    #expect(error.outputText == "12345" && error.errorText == "12345")
    #expect(error.written == WrittenCounts(error: 6))
    let late = "printf 123456 >&2; printf 123456; sleep 1000"
    let both = try finish(shell(worker, late, output: fails(at: 5), error: fails(at: 6)), worker)
    #expect(both.answer.failure?.message.hasPrefix("its output has more than 5 bytes") == true)
    #expect(both.answer.errorText == "123456" && both.answer.written.error == nil)
  }

  @Test("An output of exactly as many bytes is whole, and nothing is said of it")
  func exact() throws {
    let worker = try WorkerHarness()
    let limit = fails(at: 5)
    let operation = shell(worker, "printf 12345; printf 12345 >&2", output: limit, error: limit)
    let answer = try finish(operation, worker).answer
    #expect(answer.failure == nil && answer.written == WrittenCounts())
    #expect(answer.outputText == "12345" && answer.errorText == "12345")
  }

  @Test("Beyond a limit that truncates, bytes are counted and dropped, and the command goes on")
  func truncated() throws {
    let worker = try WorkerHarness()
    for limit in [0, 10, 70_000] {
      let operation = shell(worker, "seq 200000; echo end >&2", output: truncates(at: limit))
      let (answer, output) = try finish(operation, worker)
      #expect(answer.failure == nil && answer.errorText == "end\n")
      #expect(output.count == limit && answer.written == WrittenCounts(output: 1_288_895))
      worker.send(.release(operation.reference))
    }
  }

  @Test("A command that ignores SIGPIPE, or writes no more, is told to end, and killed if need be")
  func stubborn() throws {
    let worker = try WorkerHarness()
    for (line, end) in [
      ("printf 12; exec sleep 1000", "signal 15 (SIGTERM)"),
      ("trap '' PIPE; printf 12; while :; do echo x; done 2>&-", "signal 15 (SIGTERM)"),
      ("trap '' PIPE TERM; printf 12; while :; do echo x; done 2>&-", "signal 9 (SIGKILL)"),
      ("trap 'exit 7' TERM; printf 12; while :; do sleep 0.1; done", "exit code 7"),
    ] {
      let answer = try finish(shell(worker, line, output: fails(at: 1)), worker).answer
      #expect(answer.failure?.cause == .outputLimit)
      #expect(answer.failure?.message.hasSuffix("; \(end)") == true, "\(answer)")
      // The coordinator has asked for no steps.
      #expect(answer.stepsTaken.isEmpty)
    }
  }

  @Test("What such a command leaves behind ends with it")
  func descendants() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "sleep 1000 >\(place.path) & printf 12; exec sleep 1000"
    let operation = shell(worker, line, output: fails(at: 1))
    worker.send(.execute(operation))
    // The end of the file is there when no process writes to it any more.
    _ = try place.reader().readToEnd()
    #expect(try worker.finish(of: operation).failure?.cause == .outputLimit)
  }

  @Test("A command may be cancelled when its output was closed")
  func cancelled() throws {
    let worker = try WorkerHarness()
    let line = "trap '' PIPE TERM; printf 12; while echo; do :; done 2>&-; sleep 1000 >&-"
    let operation = shell(worker, line, output: fails(at: 1))
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    worker.send(.cancel(operation.reference, .immediate))
    guard case .cancelled(operation.reference, let answer, let step) = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
    #expect(step == "SIGKILL")
    #expect(answer.stepsTaken.map(\.action) == [.signal(9)])
  }

  @Test("The worker's own steps do not replace those that the coordinator has asked for")
  func order() throws {
    let worker = try WorkerHarness()
    let line = "trap '' PIPE; trap 'printf 12' TERM; while :; do sleep 0.01; done 2>&-"
    let operation = shell(worker, line, output: fails(at: 1))
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let steps = PoolTeardownSequence(steps: [
      PoolTeardownSequence.Step(.signal(15), graceMilliseconds: 500),
      PoolTeardownSequence.Step(.signal(9), graceMilliseconds: 0),
    ])
    worker.send(.cancel(operation.reference, steps))
    guard case .cancelled(operation.reference, let answer, let step) = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
    // Where the shell had set no trap yet, the first step has ended it.
    #expect(
      answer.stepsTaken.map(\.action)
        == (step == "SIGTERM" ? [.signal(15)] : [.signal(15), .signal(9)])
    )
    #expect(step == "SIGKILL" || answer.outputText == nil)
  }

  @Test("What a process that was left behind writes is over the limit, too")
  func late() throws {
    let worker = try WorkerHarness()
    let line = "yes & exit 0"
    let answer = try finish(shell(worker, line, output: fails(at: 100_000)), worker).answer
    #expect(answer.failure?.cause == .outputLimit)
  }
}
