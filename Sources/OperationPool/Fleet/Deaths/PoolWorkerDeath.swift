package import PoolCore
public import PoolModel

/// The end of a worker, and its cause.
public struct PoolWorkerDeath: Hashable, Sendable {
  /// The ways in which workers end.
  public enum Manner: String, Sendable, CaseIterable {
    /// It could not be started.
    case spawn = "spawn"
    /// It exited with a code, 0 or another.
    case exit = "exit"
    /// A signal that the pool did not send ended it.
    case signal = "signal"
    /// It ended itself by SIGABRT, after a failed assertion or a wrong use of memory.
    case abort = "abort"
    /// The system killed it because memory was short.
    case outOfMemory = "outOfMemory"
    /// It broke the protocol.
    case violation = "violation"
    /// It did not greet in time.
    case neverGreeted = "neverGreeted"
    /// It greeted, but did not begin its operation in time.
    case neverBegan = "neverBegan"
    /// It was silent for too long while it executed, and did not answer a ping.
    case silence = "silence"
    /// The same, because a signal such as SIGSTOP had stopped it.
    case stopped = "stopped"
    /// It closed its output, but did not end.
    case closedOutput = "closedOutput"
    /// It should have ended, but did not in time.
    case neverEnded = "neverEnded"
    /// The pool killed it together with its operation.
    case ended = "ended"
  }

  /// The worker.
  public internal(set) var worker: WorkerID
  /// Its process; nil if it could not be started.
  public internal(set) var pid: Int32?
  /// Its exit status; nil if it could not be started.
  public internal(set) var status: PoolExitStatus?
  /// The end of its standard error, 4 KiB at most.
  public internal(set) var errorTail: [UInt8]
  /// The start of its standard error since its last answer, 4 KiB at most.
  public internal(set) var errorHead: [UInt8]
  /// The line of its standard error that says why it ended, such as `Fatal error: Index out of
  /// range`, 512 bytes at most; nil if there is no such line.
  public internal(set) var headline: String?
  /// What its machine is called, if it was not proved to be this one, and the worker has said it.
  public internal(set) var host: String?
  /// Nanoseconds from a question to its answer, if that was measured.
  package var roundTrip: Int64?
  /// Number of operations that were sent to it and may have begun.
  ///
  /// More than 0 only where the worker was not proved to be on this machine.
  public internal(set) var inDoubtCount = 0

  /// Nanoseconds for which what it was sent may still execute on its machine; nil if that is over.
  package internal(set) var timeInDoubt: Int64?
  /// Why it could not be started.
  package var spawnFailure: String?
  /// What was short, where it could not be started or could not begin its operation for that
  /// reason.
  package var shortage: WorkerShortage?
  /// Its violation of the protocol.
  package var violation: String?
  /// Why the pool killed it, if it did.
  package var reason: SignalReason?
  /// Whether it was stopped when the pool killed it.
  var wasStopped = false
  /// Whether it had closed its output when the pool killed it.
  var hadClosedOutput = false
  /// Whether the system says that its out-of-memory killer has killed a process.
  var lackedMemory = false

  init(
    worker: WorkerID,
    pid: Int32? = nil,
    status: PoolExitStatus? = nil,
    spawnFailure: String? = nil,
    violation: String? = nil,
    error: ErrorExcerpt = ErrorExcerpt()
  ) {
    self.worker = worker
    self.pid = pid
    self.status = status
    self.spawnFailure = spawnFailure
    self.violation = violation
    errorTail = error.tail
    errorHead = error.head
    headline = CrashHeadline.find(in: error.sinceAnswer)
    // A program cannot say why SIGKILL ended it.
    if headline == nil, status != .signaled(9) {
      headline = CrashHeadline.find(in: error.earlierHead)
    }
  }

  /// In which way it ended.
  public var manner: Manner {
    if spawnFailure != nil { return .spawn }
    if reason == .greeting { return .neverGreeted }
    if violation != nil { return .violation }
    return mannerOfKilling ?? mannerOfDying
  }

  /// The manner, if the pool killed it; nil if it was dying already.
  private var mannerOfKilling: Manner? {
    switch reason {
    case .teardown, .shutdown: .ended
    case .silence where isKilled: wasStopped ? .stopped : .silence
    case .start where isKilled: wasStopped ? .stopped : .neverBegan
    case .end where isKilled: hadClosedOutput ? .closedOutput : .neverEnded
    case .silence, .start, .end, .frame, .greeting, .violation, nil: nil
    }
  }

  private var isKilled: Bool { status == .signaled(9) }

  private var mannerOfDying: Manner {
    switch status {
    case .signaled(6): .abort
    case .signaled(9) where lackedMemory: .outOfMemory
    case .signaled: .signal
    case .exited, nil: .exit
    }
  }
}

extension PoolWorkerDeath: CustomStringConvertible {
  /// A sentence such as `worker 3 (pid 712) was ended by signal 4: main.swift:7: Fatal error: no
  /// input`.
  public var description: String {
    "worker \(worker)" + (place.isEmpty ? "" : " (\(place))") + " " + fact + doubt
  }

  /// Its process, its machine and how far that is, as far as they are known.
  private var place: String {
    let machine = host.map { "on \($0)" }
    let process = [pid.map { "pid \($0)" }, machine].compactMap(\.self).joined(separator: " ")
    let distance = roundTrip.flatMap { time in
      time < .milliseconds(1) ? nil : "answering after \(Printable.seconds(time))"
    }
    return [process.isEmpty ? nil : process, distance].compactMap(\.self).joined(separator: ", ")
  }

  /// How many operations it leaves in doubt, as the end of a sentence; empty if none.
  package var doubt: String {
    let count =
      inDoubtCount == 0
      ? "" : "; of what it was sent, \(Plural.of(inDoubtCount, "operation")) may have begun"
    guard let timeInDoubt else { return count }
    return count + "; what it has may go on there for up to \(Printable.seconds(timeInDoubt))"
  }

  /// What it did, or what was done to it: the sentence without its name.
  package var fact: String {
    if let spawnFailure { return "could not be started: \(spawnFailure)" }
    guard let deed else { return statusText + reasonText }
    // The pool sends SIGKILL in all of these cases.
    if status == nil || status == .signaled(9) { return deed }
    return "\(deed), and \(statusText)"
  }

  /// The reason that the worker itself gave for its end.
  private var reasonText: String {
    guard manner != .ended, shortage == nil, let headline else { return "" }
    return ": \(headline)"
  }

  /// The act or omission for which the pool killed it.
  private var deed: String? {
    switch manner {
    case .violation: violation
    case .neverGreeted: violation ?? "did not greet in time"
    case .neverBegan: "did not begin its operation in time"
    case .silence: "said nothing for too long, and did not answer when it was asked"
    case .stopped: "was stopped by a signal, and said nothing for too long"
    case .closedOutput: "closed its output while it lived"
    case .neverEnded: "did not end in time"
    case .spawn, .exit, .signal, .abort, .outOfMemory, .ended: nil
    }
  }

  /// The last line of its standard error.
  private var lastWords: String {
    let line = errorTail.split(separator: UInt8(ascii: "\n")).last ?? []
    let text = String(decoding: line, as: UTF8.self)
    let name = "opool-worker: "
    if text.isEmpty { return "the system lacked a resource" }
    return text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text
  }

  private var statusText: String {
    switch status {
    case .exited where shortage != nil: "had to give up: \(lastWords)"
    case .exited(let code): "exited with code \(code)"
    case .signaled(6): "ended itself by signal 6, which is abort"
    case .signaled(9) where lackedMemory:
      "was ended by signal 9, and the system has killed processes because memory was short"
    case .signaled(9) where manner == .signal: "was ended by signal 9, which was not the pool's"
    case .signaled(let signal): "was ended by signal \(signal)"
    case nil: "is gone"
    }
  }
}
