import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

@testable import OperationWorker

/// Contract: what processes that a command has left behind write is the command's output during the
/// grace, and is dropped afterwards; they are not ended for it while the worker lives.
@Suite("Late outputs of commands")
struct LateOutputTests {
  private static let handlings = [OutputHandling.kept, .live]

  private func worker(grace milliseconds: Int) throws -> WorkerHarness {
    let worker = try WorkerHarness(greets: false)
    let id = WorkerID(rawValue: 1)
    worker.send(.welcome(Welcome(worker: id, acceptsFiles: true, outputGrace: milliseconds)))
    return worker
  }

  /// All that comes of an operation up to its answer: its output, and what is logged.
  private func finish(
    _ worker: WorkerHarness,
    _ operation: Execute
  ) throws -> (output: String, logs: [String]) {
    var bytes: [UInt8] = []
    var logs: [String] = []
    while let message = try worker.next() {
      switch message {
      case .output(operation.reference, let chunk): bytes += chunk.bytes
      case .log(_, let log): logs.append(log.message)
      case .finished(operation.reference, let answer):
        #expect(answer.failure == nil)
        if case .inline(let rest) = answer.standardOutput { bytes += rest }
        return (String(decoding: bytes, as: UTF8.self), logs)
      default: continue
      }
    }
    throw HarnessError(text: "the worker ended: \(worker.errorText)")
  }

  /// Waits until the command itself has ended and was reaped.
  private func waitForEnd(of operation: Execute, _ worker: WorkerHarness) throws {
    let group = try worker.group(of: operation)
    while FileManager.default.fileExists(atPath: "/proc/\(group.pid)") { sched_yield() }
  }

  @Test("What comes within the grace is whole, also in another session", arguments: handlings)
  func within(_ handling: OutputHandling) throws {
    let place = try Rendezvous()
    let worker = try worker(grace: 60_000)
    let late = "setsid sh -c 'cat \(place.path); seq 20000 | tail -n 2'"
    let operation = worker.shell("\(late) & echo own", outputs: handling)
    worker.send(.execute(operation))
    try waitForEnd(of: operation, worker)
    try place.release()
    #expect(try finish(worker, operation).output.hasSuffix("19999\n20000\n"))
  }

  @Test("Without a grace, the end of a command ends its output", arguments: handlings)
  func none(_ handling: OutputHandling) throws {
    let place = try Rendezvous()
    let worker = try worker(grace: 0)
    let left = "(cat \(place.path) >&2; seq 100000; echo over >\(place.path))"
    let operation = worker.shell("\(left) & echo own", outputs: handling)
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    #expect(try finish(worker, operation) == ("own\n", []))
    try place.release()
    // One line for the operation, of whichever output.
    guard case .log(operation.reference, let log)? = try worker.next() else {
      throw HarnessError(text: "no log came")
    }
    #expect(log.message.contains("writes more output, which is dropped"))
    // It could write all of that: it was not ended by a signal.
    #expect(try place.reader().readToEnd() == Data("over\n".utf8))
    let next = worker.shell("echo next", outputs: handling)
    worker.send(.execute(next))
    #expect(try finish(worker, next) == ("next\n", []))
  }

  @Test("While a process that is left wants a processor, more is waited for", arguments: handlings)
  func busy(_ handling: OutputHandling) throws {
    let worker = try worker(grace: 150)
    let line = "(timeout 0.4 sh -c 'while :; do :; done'; echo late) & echo own"
    let operation = worker.shell(line, outputs: handling)
    worker.send(.execute(operation))
    #expect(try finish(worker, operation).output == "own\nlate\n")
  }

  @Test("A process that is always busy does not hold up the answer", arguments: handlings)
  func spinning(_ handling: OutputHandling) throws {
    let worker = try worker(grace: 20)
    let line = "timeout 60 sh -c 'while :; do :; done' & echo $!"
    let operation = worker.shell(line, outputs: handling)
    worker.send(.execute(operation))
    let process = try #require(Int32(try finish(worker, operation).output.dropLast()))
    // It lives on, and had no reason to end.
    #expect(ProcessSignal.terminate.send(toProcess: process))
  }

  @Test("A request to stop ends the grace", arguments: handlings)
  func stopped(_ handling: OutputHandling) throws {
    let place = try Rendezvous()
    let worker = try worker(grace: 3_600_000)
    let operation = worker.shell("cat \(place.path) & echo own", outputs: handling)
    worker.send(.execute(operation))
    try waitForEnd(of: operation, worker)
    worker.send(.cancel(operation.reference, .immediate))
    #expect(try finish(worker, operation).output == "own\n")
    try place.release()
  }

  @Test("Beyond 256 pipes, the oldest one that is open is closed")
  func limit() {
    var pipes = LatePipes<String>()
    for number in 1...256 {
      let added = pipes.add(.init(descriptor: Int32(number), owner: "\(number)"))
      #expect(added.excess == nil)
    }
    pipes.remove(1)
    let instead = pipes.add(.init(descriptor: 257, owner: "257"))
    #expect(instead.excess == nil)
    let excess = pipes.add(.init(descriptor: 258, owner: "258")).excess
    #expect(excess?.pipe.owner == "2" && excess?.key == 2)
    #expect(pipes.pipes.count == 256)
  }

  @Test("An operation whose output is closed for newer ones is named, once for both outputs")
  func closed() throws {
    let place = try Rendezvous()
    let worker = try worker(grace: 0)
    var logs: [String] = []
    var references: [DispatchReference] = []
    for _ in 0..<130 {
      let operation = worker.shell("exec 8<>\(place.path); read never <&8 & :")
      references.append(operation.reference)
      worker.send(.execute(operation))
      logs += try finish(worker, operation).logs
    }
    while logs.count < 2, let message = try worker.next() {
      if case .log(let reference, let log) = message {
        #expect(reference == references[logs.count])
        logs.append(log.message)
      }
    }
    #expect(logs.allSatisfy { $0.contains("more than 256 such outputs are open") })
    // What the commands have left takes a line each, and ends.
    let lines = Data(repeating: UInt8(ascii: "\n"), count: references.count)
    try FileHandle(forWritingTo: URL(filePath: place.path)).write(contentsOf: lines)
  }
}
