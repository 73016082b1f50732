import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// Contract: what a command has started ends with it where it is made to end, also what has left
/// its group; where it came to its own end, what it leaves is left alone, for good.
///
/// A process that holds a pipe open says by its end that it has ended.
@Suite("What commands leave behind", .enabled(if: Subreaper() != nil, "needs adopted orphans"))
struct OrphanTests {
  private static let reply = Data("ready\n".utf8)

  /// Begins a command that starts something in a session of its own, which holds the pipe.
  private func begin(
    _ worker: WorkerHarness,
    _ place: Rendezvous,
    _ start: String
  ) throws -> (Execute, FileHandle) {
    let holder = "exec 9>\(place.path); echo ready >&9; while :; do sleep 1000; done"
    let end = start.isEmpty ? "&" : "& );"
    let operation = worker.shell("\(start) setsid sh -c '\(holder)' \(end) exec sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: Self.reply.count) == Self.reply)
    return (operation, reader)
  }

  private func answer(_ worker: WorkerHarness, _ operation: Execute) throws {
    guard case .cancelled(operation.reference, _, _) = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
  }

  /// In the second case its parent has ended by then, and in the third its own child has no parent.
  @Test(
    "A cancelled command's grandchildren end before its answer, whatever group they are in",
    arguments: ["", "( ", "( setsid sh -c 'sleep 1000 & sleep 1000' & "]
  )
  func cancelled(start: String) throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let (operation, reader) = try begin(worker, place, start)
    worker.send(.cancel(operation.reference, .standard))
    try answer(worker, operation)
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(try children(in: worker) == 1)
  }

  @Test("They end with the worker's input, too")
  func endOfInput() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let (_, reader) = try begin(worker, place, "( ")
    worker.closeInput()
    #expect(try reader.readToEnd() ?? Data() == Data())
    _ = try worker.end()
  }

  /// That is the signal of a coordinator's death; from here, the guardian passes it on.
  @Test("They end with a worker that SIGTERM ends")
  func terminated() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let (_, reader) = try begin(worker, place, "( ")
    ProcessSignal.terminate.send(toProcess: worker.process.identifier)
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(try worker.end() == .signaled(15))
  }

  /// Each in a session of its own, and each the parent of the next: one comes to the worker when
  /// the one before it has ended, so that this takes a while.
  private static let chain = """
    next() { if test $1 -gt 0; then setsid sh -c "$(cat $0)" $0 $1 & else echo ready >&9; fi; }
    next $(($1 - 1)); sleep 1000; :
    """

  /// The first one is that of its guardian's death.
  @Test("A second SIGTERM does not cut short what the first has begun")
  func terminatedTwice() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let script = try place.script(Self.chain, mode: "600")
    let operation = worker.shell("exec 9>\(place.path); sh -c \"$(cat \(script))\" \(script) 20")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: Self.reply.count) == Self.reply)
    ProcessSignal.kill.send(toProcess: worker.process.identifier)
    for _ in 0..<1000 { ProcessSignal.terminate.send(toProcess: worker.pid) }
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(try worker.end() == .signaled(9))
  }

  /// The daemon, which is in a session of its own or in the command's group, answers each line that
  /// it is sent, and ends when it is told to.
  @Test(
    "What a command that succeeded leaves lives on, while others on its worker are cancelled",
    arguments: ["setsid", "env"]
  )
  func spared(starter: String) throws {
    let (place, other) = (try Rendezvous(), try Rendezvous())
    let questions = place.folder.appending(path: "questions").path
    let worker = try WorkerHarness()
    #expect(mkfifo(questions, 0o600) == 0)
    let loop = "while read line <\(questions) && test $line != end"
    let daemon = "\(loop); do echo alive >\(place.path); done"
    #expect(try worker.answer(to: worker.shell("\(starter) sh -c '\(daemon)' &")).failure == nil)
    let (operation, reader) = try begin(worker, other, "( ")
    worker.send(.cancel(operation.reference, .standard))
    try answer(worker, operation)
    #expect(try reader.readToEnd() ?? Data() == Data())
    try Data("there?\n".utf8).write(to: URL(filePath: questions))
    #expect(try place.reader().readToEnd() == Data("alive\n".utf8))
    try Data("end\n".utf8).write(to: URL(filePath: questions))
  }

  /// Those are not ended, and so the command is known by its group alone.
  @Test("A command ends with its killed worker, also after others that left too many to list")
  func many() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let earlier = "echo $$; for n in $(seq 520); do sleep 1000 >/dev/null & done"
    let text = try worker.answer(to: worker.shell(earlier)).outputText ?? ""
    let left = try #require(Int32(text.dropLast()))
    defer { ProcessSignal.kill.send(toGroup: left) }
    let line = "(exec 9>\(place.path); echo ready >&9; exec sleep 1000) & exec sleep 1000"
    let command = worker.shell(line)
    worker.send(.execute(command))
    // From then on the guardian knows it, too.
    _ = try worker.group(of: command)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: Self.reply.count) == Self.reply)
    ProcessSignal.kill.send(toProcess: worker.pid)
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(ProcessSignal(0).send(toGroup: left), "what was left on purpose lives on")
  }

  @Test("A command that fails by itself has what it started left alone")
  func failed() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let start = "(setsid sh -c 'read line <\(place.path)' &); exit 3"
    #expect(try worker.answer(to: worker.shell(start)).failure?.code == 3)
    // It returns when a process reads, which is the one that was left.
    try place.release()
  }

  /// The command waits until it is the only child, which its parent's list says.
  @Test("Orphans that end while a command is executed are reaped meanwhile")
  func reapedMeanwhile() throws {
    let worker = try WorkerHarness()
    let line = """
      for n in 1 2 3 4 5 6 7 8 9 10; do (true &); done
      until test $(wc -w </proc/$PPID/task/$PPID/children) = 1; do :; done
      """
    #expect(try worker.answer(to: worker.shell(line)).failure == nil)
  }

  /// The end of orphans is not reported, so that commands look for it.
  @Test("Orphans that end after their command are reaped with a later one")
  func reapedLater() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "(sh -c 'read line <\(place.path)' &)"
    #expect(try worker.answer(to: worker.shell(line)).failure == nil)
    #expect(try children(in: worker) == 2)
    try place.release()
    var count = Int.max
    while count > 1 { count = try children(in: worker) }
  }

  /// How many children a worker has, the one that asks among them.
  private func children(in worker: WorkerHarness) throws -> Int {
    let answer = try worker.answer(to: worker.shell("cat /proc/$PPID/task/$PPID/children"))
    return try #require(answer.outputText).split(separator: " ").count
  }
}
