import Foundation
import PoolSystem

// The pipes of a worker process, its signals, and the system's data about it.

extension SpawnedProcess {
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    (try? SystemIO.read(descriptor, into: buffer)) ?? .endOfFile
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer {
    // A worker that has closed its input is dying, and its exit will be reported.
    (try? SystemIO.write(input, bytes)) ?? .endOfFile
  }

  func isStopped(_ worker: Int32) -> Bool { ProcessStatus.isStopped(worker) }

  func isAncestor(of process: Int32) -> Bool { Descendant(process, below: pid) != nil }

  func residentBytes(of worker: Int32) -> Int? { ProcessStatus.residentBytes(of: worker) }

  /// Whether it is known to have ended: then its number may belong to another process.
  private var hasEnded: Bool { process?.isRunning == false }

  func send(_ signal: Int32) {
    guard !hasEnded else { return }
    Guardian.send(ProcessSignal(signal), toWorkerOf: pid)
  }

  func send(_ signal: Int32, toGroup group: Int32) {
    Descendant(group, below: pid)?.send(toGroup: ProcessSignal(signal))
  }

  func kill(with group: Int32?) {
    guard let group, !Guardian.isOne(pid) else { return send(ProcessSignal.kill.number) }
    // Checked while the worker lives, and killed when the worker can no longer report the group.
    let command = Descendant(group, below: pid)
    send(ProcessSignal.kill.number)
    command?.send(toGroup: .kill)
  }

  func insist(on worker: Int32) {
    guard !hasEnded else { return }
    Descendant(worker, below: pid)?.send(toGroup: .kill)
    ProcessSignal.kill.send(toGroup: pid)
  }

  func wakeGuardian() {
    if process?.isRunning == true { Guardian.wake(pid) }
    child?.send(.continue)
  }

  func discard() {
    if process?.isRunning == true { ProcessSignal.kill.send(toProcess: pid) }
    child?.send(.kill)
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }
}
