import PoolModel
import PoolSystem
import Synchronization

/// A worker behind a relay, presented to the loop like a process that was started here.
///
/// Its streams are pipes to the thread of the ``RelayCarrier``. Its process is on the relay's
/// machine, perhaps another one: only the relay signals it.
final class RelayedProcess: WorkerProcess, Sendable {
  /// How it has ended.
  struct Ending: Sendable {
    var status: PoolExitStatus
    /// Whether the relay has said so, on whose machine it was; otherwise the connection was lost.
    var isProved: Bool
    /// What the pipes did not take of its output and error.
    var output: [UInt8] = []
    var error: [UInt8] = []
  }

  /// The process by which the relay is reached.
  let pid: Int32
  let input: Int32
  let output: Int32
  let error: Int32
  private let channel: UInt16
  private let carrier: RelayCarrier
  private let ending = Mutex<Ending?>(nil)

  /// Takes over the descriptors: input, output, error.
  init(_ channel: UInt16, of carrier: RelayCarrier, _ descriptors: [Int32]) {
    (self.channel, self.carrier) = (channel, carrier)
    pid = carrier.pid
    (input, output, error) = (descriptors[0], descriptors[1], descriptors[2])
  }

  /// It has ended; call it before its pipes are closed.
  func end(_ ending: Ending) { self.ending.withLock { $0 = ending } }

  var status: PoolExitStatus? { ending.withLock { $0?.status } }
  var isEndProved: Bool { ending.withLock { $0?.isProved == true } }
  var isSealed: Bool { true }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    let transfer = (try? SystemIO.read(descriptor, into: buffer)) ?? .endOfFile
    if case .bytes = transfer { return transfer }
    // Nothing is written to the pipe after its end is known, although that may be still open.
    let rest = descriptor == output ? \Ending.output : \Ending.error
    return ending.withLock { ending in
      guard var known = ending else { return transfer }
      defer { ending = known }
      return Self.take(from: &known[keyPath: rest], into: buffer)
    }
  }

  private static func take(
    from rest: inout [UInt8],
    into buffer: UnsafeMutableRawBufferPointer
  ) -> SystemIO.Transfer {
    let count = min(rest.count, buffer.count)
    guard count > 0 else { return .endOfFile }
    rest.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    rest.removeFirst(count)
    return .bytes(count)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> SystemIO.Transfer {
    (try? SystemIO.write(input, bytes)) ?? .endOfFile
  }

  func finishSending(within nanoseconds: Int64) { carrier.flush(within: nanoseconds) }

  // Numbers of processes that it reports are those of the relay's machine.
  func isStopped(_ worker: Int32) -> Bool { false }
  func isAncestor(of process: Int32) -> Bool { false }
  func residentBytes(of worker: Int32) -> Int? { nil }
  func send(_ signal: Int32, toGroup group: Int32) {}
  func wakeGuardian() {}

  func send(_ signal: Int32) { carrier.signal(channel, by: signal) }
  func kill(with group: Int32?) { send(ProcessSignal.kill.number) }
  func insist(on worker: Int32) { send(ProcessSignal.kill.number) }

  func discard() {
    send(ProcessSignal.kill.number)
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }
}
