import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// Contract: what a command writes is sent while it executes, whole and in order, and a coordinator
/// that does not read makes the command wait.
@Suite("Live outputs of commands")
struct LiveOutputTests {
  /// All that came of an operation up to its answer: both outputs, and the number of pieces.
  private struct Heard {
    var output: [UInt8] = []
    var error: [UInt8] = []
    var pieceCount = 0

    var texts: [String] { [output, error].map { String(decoding: $0, as: UTF8.self) } }
  }

  private func finish(_ worker: WorkerHarness, _ operation: Execute) throws -> (Heard, Answer) {
    var heard = Heard()
    while let message = try worker.next() {
      switch message {
      case .executing(operation.reference, _): continue
      // What an earlier operation has left behind writes on.
      case .log(let reference, _) where reference != operation.reference: continue
      case .output(operation.reference, let chunk):
        if chunk.isError { heard.error += chunk.bytes } else { heard.output += chunk.bytes }
        heard.pieceCount += 1
      case .finished(operation.reference, let answer):
        if case .inline(let bytes) = answer.standardOutput { heard.output += bytes }
        if case .inline(let bytes) = answer.standardError { heard.error += bytes }
        return (heard, answer)
      default: Issue.record("unexpected \(message)")
      }
    }
    throw HarnessError(text: "the worker ended: \(worker.errorText)")
  }

  private func execute(_ worker: WorkerHarness, _ line: String) throws -> Heard {
    let operation = worker.shell(line, outputs: .live)
    worker.send(.execute(operation))
    return try finish(worker, operation).0
  }

  @Test("A piece comes while its command executes", arguments: [false, true])
  func early(isError: Bool) throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let stream = isError ? ">&2" : ""
    let operation = worker.shell("echo early \(stream); cat \(place.path)", outputs: .live)
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let early = OutputChunk(isError: isError, bytes: Array("early\n".utf8))
    #expect(try worker.next() == .output(operation.reference, early))
    let writer = try FileHandle(forWritingTo: URL(filePath: place.path))
    try writer.write(contentsOf: Data("late\n".utf8))
    try writer.close()
    let (heard, answer) = try finish(worker, operation)
    #expect(heard.output == Array("late\n".utf8) && answer.failure == nil)
  }

  /// What is little is in the answer, and the pipes serve all commands.
  @Test("Command after command, each gets what is its own, and descriptors stay flat")
  func flat() throws {
    let worker = try WorkerHarness()
    _ = try execute(worker, "true")
    let path = "/proc/\(worker.pid)/fd"
    let before = try FileManager.default.contentsOfDirectory(atPath: path).count
    for number in 0..<50 {
      let heard = try execute(worker, "echo \(number); echo e\(number) >&2; exit \(number)")
      #expect(heard.texts == ["\(number)\n", "e\(number)\n"])
    }
    // Without a wish, outputs are as ever.
    #expect(try worker.answer(to: worker.shell("echo kept")).outputText == "kept\n")
    let after = try FileManager.default.contentsOfDirectory(atPath: path).count
    // Two files that the last command may have left to be used again.
    #expect(after <= before + 2)
  }

  @Test("Ten megabytes of any bytes come whole, in pieces")
  func large() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let copy = place.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let heard = try execute(worker, "head -c 10000000 /dev/urandom | tee \(copy)")
    #expect(Data(heard.output) == FileManager.default.contents(atPath: copy))
    #expect(heard.pieceCount >= 300 && heard.error.isEmpty)
  }

  /// Without back-pressure, the command would have ended.
  @Test("While the coordinator does not read, the command waits, and can be stopped")
  func held() throws {
    let worker = try WorkerHarness()
    let operation = worker.shell("exec yes", outputs: .live)
    worker.send(.execute(operation))
    let group = try worker.group(of: operation)
    while !worker.isOutputFull { sched_yield() }
    #expect(ProcessStatus.ending(ofChild: group.pid) == nil)
    worker.send(.cancel(operation.reference, .immediate))
    var isCancelled = false
    while !isCancelled, let message = try worker.next() {
      if case .cancelled(operation.reference, _, _) = message { isCancelled = true }
    }
    #expect(isCancelled)
    #expect(try execute(worker, "echo next").texts == ["next\n", ""])
  }

  /// The standard worker gives the next command other pipes.
  @Test("What a command leaves behind writes on, and none of that is the next command's")
  func left() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "(cat \(place.path); yes | head -n 100000; echo over >\(place.path)) & echo own"
    #expect(try execute(worker, line).texts == ["own\n", ""])
    let writer = try FileHandle(forWritingTo: URL(filePath: place.path))
    try writer.close()
    let reader = try FileHandle(forReadingFrom: URL(filePath: place.path))
    // It could write all of that: nobody had to read it, and it was not ended by a signal.
    #expect(try reader.readToEnd() == Data("over\n".utf8))
    #expect(try execute(worker, "echo next").texts == ["next\n", ""])
  }

  /// Such as not to wait, or to keep each write as a packet of its own.
  @Test("A command that sets flags of its output does so for itself alone")
  func flags() throws {
    let worker = try WorkerHarness()
    // In octal: 1 is the access mode of a writer.
    let tellFlags = "sed -n 's/^flags:[^0-9]*//p' /proc/self/fdinfo/1"
    let set = "dd if=/dev/null oflag=nonblock,direct 2>/dev/null"
    #expect(try execute(worker, "\(set); \(tellFlags)").texts[0] != "01\n")
    #expect(try execute(worker, tellFlags).texts[0] == "01\n")
    #expect(try execute(worker, "seq 200000 | cat").output.count == 1_288_895)
  }

  @Test("Direct outputs go to the streams that the worker has, and live ones elsewhere")
  func direct() throws {
    let worker = try WorkerHarness()
    let operation = worker.shell("echo seen", outputs: .direct)
    worker.send(.execute(operation))
    #expect(try finish(worker, operation).0.texts == ["seen\n", ""])
  }

  @Test("A command that cannot be started leaves the pipes to the next")
  func missing() throws {
    let worker = try WorkerHarness()
    let payload = CommandPayload(.run([Array("no-such-program".utf8)]))
    let operation = worker.operation(
      "command",
      String(decoding: payload.json, as: UTF8.self),
      with: .of(outputs: .live)
    )
    worker.send(.execute(operation))
    let (heard, answer) = try finish(worker, operation)
    #expect(heard.pieceCount == 0 && answer.failure?.cause == .spawn)
    #expect(try execute(worker, "echo next").texts == ["next\n", ""])
  }
}
