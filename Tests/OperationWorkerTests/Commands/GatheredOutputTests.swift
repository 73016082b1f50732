import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// Contract: a command writes into pipes, as under xargs, and its worker keeps the whole of it.
@Suite("Gathered outputs of commands")
struct GatheredOutputTests {
  /// All that comes of an operation's standard output.
  private func output(_ worker: WorkerHarness, _ line: String) throws -> [UInt8] {
    let operation = worker.shell(line)
    worker.send(.execute(operation))
    var bytes: [UInt8] = []
    while let message = try worker.next() {
      if case .output(operation.reference, let chunk) = message { bytes += chunk.bytes }
      guard case .finished(operation.reference, let answer) = message else { continue }
      #expect(answer.failure == nil)
      switch answer.standardOutput {
      case .inline(let rest): bytes += rest
      case .file(let descriptor, let count):
        let file = try ProcessDescriptor.open(descriptor, of: worker.pid)
        defer { Descriptors.close(file) }
        bytes += try SystemIO.readAll(file)
        #expect(bytes.count == Int(count))
      case nil: break
      }
      worker.send(.release(operation.reference))
      return bytes
    }
    throw HarnessError(text: "the worker ended: \(worker.errorText)")
  }

  @Test("Each command has two pipes of its own, and no signal blocked")
  func pipes() throws {
    let worker = try WorkerHarness()
    let line = "readlink /proc/self/fd/1; readlink /proc/$$/fd/2; grep SigBlk /proc/self/status"
    let first = try #require(worker.answer(to: worker.shell(line)).outputText)
    let second = try #require(worker.answer(to: worker.shell(line)).outputText)
    let names = (first + second).split(separator: "\n").filter { $0.hasPrefix("pipe:") }
    #expect(Set(names).count == 4)
    #expect(first.hasSuffix("SigBlk:\t0000000000000000\n"))
  }

  @Test("No program can seek back, and one that opens its output again erases nothing")
  func streams() throws {
    let worker = try WorkerHarness()
    let line = "echo a; echo b >/dev/stdout; echo c | tee /dev/stdout; dd if=/dev/null seek=0 2>&-"
    #expect(try worker.answer(to: worker.shell(line)).outputText == "a\nb\nc\nc\n")
    let seek = "python3 -c 'import os; os.lseek(1, 0, 0)' 2>/dev/null || echo no"
    #expect(try worker.answer(to: worker.shell(seek)).outputText == "no\n")
  }

  /// Within an answer, in memory, and in a file.
  @Test("Outputs of any size are whole", arguments: [true, false])
  func sizes(acceptsFiles: Bool) throws {
    let worker = try WorkerHarness(acceptsFiles: acceptsFiles)
    let all = Array((1...200_000).flatMap { Array("\($0)\n".utf8) })
    for count in [0, 1, 16_384, 16_385, 65_536, 65_537, 1_000_003] {
      let found = try output(worker, "seq 200000 | head -c \(count)")
      #expect(found == Array(all.prefix(count)), "\(count)")
    }
  }

  @Test("A command that fills one output after the other is not held up by either")
  func both() throws {
    let worker = try WorkerHarness()
    let line = "for i in 1 2 3; do head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; done"
    #expect(try output(worker, line).count == 900_000)
  }

  @Test("Small writes do not wake the worker one by one")
  func wakeUps() throws {
    let worker = try WorkerHarness()
    _ = try output(worker, "true")
    let before = try switches(of: worker)
    let line = "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done"
    #expect(try output(worker, line).count == 108_890)
    #expect(try switches(of: worker) - before < 2_000)
  }

  /// How often the main thread has waited.
  private func switches(of worker: WorkerHarness) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(worker.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
  }

  @Test("A command that closes its outputs and executes on is waited for")
  func closed() throws {
    let worker = try WorkerHarness()
    let operation = worker.shell("exec >&- 2>&-; sleep 0.05; exit 3")
    #expect(try worker.answer(to: operation).failure?.code == 3)
  }

  @Test("A command that is stopped and goes on is waited for")
  func stopped() throws {
    let worker = try WorkerHarness()
    let line = "(while ! grep -q '^State:.T' /proc/$$/status; do :; done; kill -CONT $$) & "
    #expect(try output(worker, line + "kill -STOP $$; echo on") == Array("on\n".utf8))
  }
}
