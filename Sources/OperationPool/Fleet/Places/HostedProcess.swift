import Dispatch
import OperationWorker
import PoolModel
import PoolSystem
import Synchronization

/// A hosted worker, which is threads of this process, presented to the loop like a worker process.
///
/// A signal that would end a process abandons the worker: to the pool it has died by the signal,
/// while its operation is asked to stop and goes on until its code returns. Other signals have no
/// effect.
final class HostedProcess: WorkerProcess {
  let pid = CurrentProcess.identifier
  let input: Int32
  let output: Int32
  /// At end of file from the beginning: what operations print goes to this process's standard
  /// error.
  let error: Int32
  private let worker: HostedWorker
  private let end: HostedEnd

  /// Takes over the descriptors: input, output, error.
  private init(_ descriptors: [Int32], _ worker: HostedWorker, _ end: HostedEnd) {
    input = descriptors[0]
    output = descriptors[1]
    error = descriptors[2]
    self.worker = worker
    self.end = end
  }

  /// Starts a worker; calls `ended` once, on some thread.
  static func start(
    _ kinds: [WorkerKind],
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending HostedProcess {
    var descriptors: [Int32] = []
    do {
      let input = try Descriptors.pipe()
      descriptors += [input.read, input.write]
      let output = try Descriptors.socketPair()
      descriptors += [output.0, output.1]
      let error = try Descriptors.pipe()
      descriptors += [error.read, error.write]
      let ours = [input.write, output.0, error.read]
      for descriptor in ours { try Descriptors.setNonBlocking(descriptor) }
      let end = HostedEnd(ended)
      let streams = StandardStreams(input: input.read, output: output.1)
      let worker = try HostedWorker.start(kinds, on: streams) { end.note(.exited($0)) }
      Descriptors.close(error.write)
      return HostedProcess(ours, worker, end)
    } catch {
      for descriptor in descriptors { Descriptors.close(descriptor) }
      throw error
    }
  }

  var status: PoolExitStatus? { end.status }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    (try? SystemIO.read(descriptor, into: buffer)) ?? .endOfFile
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer {
    (try? SystemIO.write(input, bytes)) ?? .endOfFile
  }

  func isStopped(_ worker: Int32) -> Bool { false }
  func isAncestor(of process: Int32) -> Bool { false }
  func residentBytes(of worker: Int32) -> Int? { nil }

  func send(_ signal: Int32) {
    guard ProcessSignal(signal).endsProcesses else { return }
    // No further operation begins after the end was reported.
    let stop = worker.abandon()
    end.note(.signaled(signal))
    // The operation's cancellation handlers may take long, and the loop must not wait for them.
    DispatchQueue.global().async(execute: stop)
  }

  func send(_ signal: Int32, toGroup group: Int32) {}
  func kill(with group: Int32?) { send(ProcessSignal.kill.number) }
  func insist(on worker: Int32) {}
  func wakeGuardian() {}

  func discard() {
    send(ProcessSignal.kill.number)
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }
}

/// The end of a hosted worker, which is reported once.
private final class HostedEnd: Sendable {
  private let ending = Mutex<PoolExitStatus?>(nil)
  private let ended: @Sendable (PoolExitStatus) -> Void

  init(_ ended: @escaping @Sendable (PoolExitStatus) -> Void) {
    self.ended = ended
  }

  var status: PoolExitStatus? { ending.withLock { $0 } }

  func note(_ status: PoolExitStatus) {
    let isFirst = ending.withLock { ending in
      guard ending == nil else { return false }
      ending = status
      return true
    }
    if isFirst { ended(status) }
  }
}
