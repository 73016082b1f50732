import OperationPool
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// Reads the file of `--hosts` again and again while a run goes on: hosts that are new get workers,
/// and those of hosts that are gone end after what they execute.
///
/// It has its own thread.
final class HostFileWatch: Sendable {
  /// Nanoseconds between two looks.
  private static let interval = Int64.milliseconds(500)

  private struct State {
    /// What the file contained at the last look, or why it could not be read.
    var seen: Result<[UInt8], HostFile.Failure>?
    /// The same when it was last judged.
    var judged: Result<[UInt8], HostFile.Failure>?
    /// The hosts that it named when it was last without fault.
    var wanted: [WorkerRequest] = []
    /// Those among them that could not be used.
    var refused: Set<WorkerRequest> = []
  }

  private let path: [UInt8]
  private let control: RunControl
  /// The workers of a host.
  private let workers: @Sendable (WorkerRequest) throws -> PoolWorkerConfiguration
  private let state = Mutex(State())
  private let thread = RunThread()

  /// Nil without a file, or with one that can be read only once, such as a pipe.
  init?(
    _ options: SharedOptions,
    _ control: RunControl,
    _ workers: @escaping @Sendable (WorkerRequest) throws -> PoolWorkerConfiguration
  ) {
    guard let path = options.hostFile, FileIdentity(path: path)?.isRegular == true else {
      return nil
    }
    (self.path, self.control, self.workers) = (path, control, workers)
    state.withLock { $0.wanted = options.workers.filter(\.isFromFile) }
  }

  /// Starts the thread.
  func open(telling messages: RunMessages) throws(SystemFailure) {
    try thread.start(named: "opool-hosts") { [self] in
      look(messages)
      return Self.interval
    }
  }

  /// The run is over.
  func close() { thread.close() }

  private func look(_ messages: RunMessages) {
    let name = "--hosts: \(Printable.text(path))"
    if let failure = readAgain() {
      messages.say("\(name): \(failure); the hosts stay as they were", always: true)
    }
    guard !control.isEnding else { return }
    let wanted = state.withLock { $0.wanted }
    for change in HostChange.changes(from: control.roster.entries, to: wanted) {
      if let message = apply(change) { messages.say("\(name): \(message)") }
    }
  }

  /// Takes the hosts if the file has changed, and contains the same as at the last look, because it
  /// may be being written; returns what is wrong with it, if that is news.
  private func readAgain() -> HostFile.Failure? {
    let content = Result { () throws(HostFile.Failure) in
      // Opening a pipe would wait for its writer.
      guard FileIdentity(path: path)?.isRegular != false else {
        throw HostFile.Failure(reason: "it is no regular file any more")
      }
      return try HostFile.content(of: path)
    }
    let isNews = state.withLock { state in
      defer { state.seen = content }
      guard state.seen == content, state.judged != content else { return false }
      state.judged = content
      return true
    }
    guard isNews else { return nil }
    do throws(HostFile.Failure) {
      let hosts = try HostFile.hosts(in: try content.get())
      state.withLock { ($0.wanted, $0.refused) = (hosts, []) }
      return nil
    } catch {
      return error
    }
  }

  /// Applies a change; returns what to say of it.
  private func apply(_ change: HostChange) -> String? {
    let roster = control.roster
    switch change {
    case .add(let request):
      guard !state.withLock({ $0.refused.contains(request) }) else { return nil }
      do {
        let workers = try workers(request)
        roster.add(request) { control.engine.addWorkers(workers, to: control.fleet) != nil }
        return "\(request.hostName) is new\(request.countText)"
      } catch {
        state.withLock { _ = $0.refused.insert(request) }
        return "\(request.hostName) cannot be used: \(error)"
      }
    case .limit(let index, let request):
      let isBack = roster.entries[index]?.isWithdrawn == true
      limit(index, to: request.count)
      roster.note(request, isWithdrawn: false, of: index)
      return request.hostName + (isBack ? " is back" : "") + request.countText
    case .withdraw(let index, let request):
      limit(index, to: 0)
      roster.note(request, isWithdrawn: true, of: index)
      return "\(request.hostName) is gone: it ends after what it executes"
    }
  }

  private func limit(_ configuration: Int, to count: Int?) {
    control.engine.limitWorkers(ofConfigurationAt: configuration, of: control.fleet, to: count)
  }
}

extension WorkerRequest {
  fileprivate var hostName: String { Printable.text(command) }
  fileprivate var countText: String { count.map { ": \($0) at once" } ?? "" }
}

extension HostFile {
  /// The bytes of a file of hosts.
  static func content(of path: [UInt8]) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      bytes = try SmallFile.start(of: path, atLeast: byteLimit + 1)
    } catch {
      throw Failure(reason: error.reason)
    }
    guard bytes.count <= byteLimit else { throw Failure(reason: "it is larger than 1 MiB") }
    return bytes
  }
}

extension SharedOptions {
  /// Reads the file of `--hosts`, which it may be possible to read only once.
  mutating func readHosts() throws(RunFailure) {
    guard let hostFile else { return }
    do throws(HostFile.Failure) {
      workers += try HostFile.hosts(in: try HostFile.content(of: hostFile))
    } catch {
      throw RunFailure(.usage, "--hosts: \(Printable.text(hostFile)): \(error)")
    }
  }
}
