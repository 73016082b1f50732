import PoolConformance
import PoolInputs
import PoolModel
import PoolSystem

/// A worker process, for one conversation.
///
/// It leads a process group of its own, which is killed at the end, together with all processes
/// that it has left to this one.
final class CheckedWorker {
  private let process: CommandProcess
  private let output: Int32
  private let error: Int32
  /// Wakes the poller when the process has ended.
  private let end: WakePipe
  private let waiter: SystemThread
  private let interruption: Interruption
  /// The end of the pipe to the worker; nil after it was closed.
  private var input: Int32?
  private var poller = Poller()

  /// What the poller watches.
  private enum Key: Int {
    case output, error, end, input, interruption
  }

  /// Starts the command.
  init(_ command: [[UInt8]], _ interruption: Interruption) throws(RunFailure) {
    self.interruption = interruption
    do {
      let pipes = try StreamPipes()
      process = try Self.start(command, on: pipes.theirs)
      let ours = pipes.takeOurs()
      (input, output, error) = (ours[0], ours[1], ours[2])
      let (end, process) = (try WakePipe(), process)
      self.end = end
      waiter = try SystemThread.start(name: "opool-check", mask: .full) {
        process.waitForEnd()
        end.wake()
      }
    } catch {
      throw RunFailure(.workers, "the worker cannot be started: \(error)")
    }
    poller.watch(output, for: .readable, key: Key.output.rawValue)
    poller.watch(error, for: .readable, key: Key.error.rawValue)
    poller.watch(end.descriptor, for: .readable, key: Key.end.rawValue)
    poller.watch(interruption.descriptor, for: .readable, key: Key.interruption.rawValue)
  }

  /// Starts a command on these streams.
  private static func start(
    _ command: [[UInt8]],
    on streams: [Int32]
  ) throws(SpawnFailure) -> CommandProcess {
    var launcher = CommandLauncher()
    return try launcher.start(
      CommandDescription(
        arguments: command,
        environment: .current,
        standardInput: streams[0],
        standardOutput: streams[1],
        standardError: streams[2],
        deathSignal: .kill
      )
    )
  }

  /// Holds the conversation, then ends the worker.
  ///
  /// What the worker still says after the last step is heard, for a short time.
  func hold(_ conversation: inout Conversation, settling limit: Int64) {
    perform(&conversation, limit)
    if conversation.outcome == nil, !conversation.isBusy {
      closeInput()
      let patience = min(limit, Self.settlingTime)
      listen(&conversation, until: Self.now.advanced(by: patience)) { $0.hasOutputEnded }
    }
    finish()
  }

  /// How long what follows the last step is heard: 200 ms.
  private static let settlingTime = Int64.milliseconds(200)

  private var isInterrupted: Bool { interruption.exitCode != nil }

  private static var now: Instant { Instant(nanoseconds: MonotonicClock.now) }

  private func perform(_ conversation: inout Conversation, _ limit: Int64) {
    while !isInterrupted {
      switch conversation.next(at: Self.now) {
      case .write(let pieces): write(pieces, &conversation, until: Self.now.advanced(by: limit))
      case .closeInput: closeInput()
      case .wait(let end): listenOnce(&conversation, until: end)
      case .lookForProcesses(let end): conversation.found(processes: processes(until: end))
      case .end: return
      }
    }
  }
}

// MARK: - Writing

extension CheckedWorker {
  /// Writes pieces, and lets the worker read each before the next.
  private func write(
    _ pieces: [[UInt8]],
    _ conversation: inout Conversation,
    until end: Instant
  ) {
    for piece in pieces {
      guard write(piece, &conversation, until: end) else { return closeInput() }
      if pieces.count > 1 { awaitReading() }
    }
  }

  /// Writes a piece, and hears the worker meanwhile; false if the worker does not read.
  private func write(
    _ piece: [UInt8],
    _ conversation: inout Conversation,
    until end: Instant
  ) -> Bool {
    var rest = piece[...]
    while !rest.isEmpty {
      guard let input else { return true }
      switch rest.withUnsafeBytes({ try? SystemIO.write(input, $0) }) {
      case .bytes(let count)?: rest = rest.dropFirst(count)
      case .wouldBlock?:
        guard Self.now < end, !isInterrupted else { return false }
        poller.watch(input, for: .writable, key: Key.input.rawValue)
        listenOnce(&conversation, until: end)
        poller.forget(key: Key.input.rawValue)
      case .endOfFile?, nil: return false
      }
    }
    return true
  }

  /// Waits until the worker has read what was written, but not long: it may be busy.
  private func awaitReading() {
    guard let input else { return }
    let end = MonotonicClock.time(in: .milliseconds(10))
    while Descriptors.unreadByteCount(in: input) > 0, MonotonicClock.now < end {
      MonotonicClock.sleep(nanoseconds: 100_000)
    }
  }

  private func closeInput() {
    guard let input else { return }
    poller.forget(key: Key.input.rawValue)
    Descriptors.close(input)
    self.input = nil
  }
}

// MARK: - Hearing

extension CheckedWorker {
  /// Hears the worker until the condition holds, or the time is over.
  private func listen(
    _ conversation: inout Conversation,
    until end: Instant,
    _ condition: (Conversation) -> Bool
  ) {
    while !condition(conversation), !isInterrupted, Self.now < end {
      listenOnce(&conversation, until: end)
    }
  }

  /// Waits for something to happen, and tells the conversation.
  private func listenOnce(_ conversation: inout Conversation, until end: Instant) {
    var ready: [(key: Int, Poller.Readiness)] = []
    poller.wait(nanoseconds: end.nanoseconds - MonotonicClock.now, into: &ready)
    for (key, _) in ready {
      switch Key(rawValue: key) {
      case .output:
        if !read(output, { conversation.received($0) }) {
          poller.forget(key: key)
          conversation.outputEnded()
        }
      case .error:
        if !read(error, { conversation.receivedError($0) }) { poller.forget(key: key) }
      case .end:
        poller.forget(key: key)
        if let status = ProcessStatus.ending(ofChild: process.identifier) {
          conversation.exited(status)
        }
      case .interruption: poller.forget(key: key)
      case .input, nil: break
      }
    }
  }

  /// Reads once; false at the end.
  private func read(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      switch try? SystemIO.read(descriptor, into: buffer) {
      case .bytes(let count)?:
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return true
      case .wouldBlock?: return true
      case .endOfFile?, nil: return false
      }
    }
  }
}

// MARK: - The end

extension CheckedWorker {
  /// Processes that the ended worker has left to this one.
  private var orphans: [Int32] {
    Adoption.reap(beside: [process.identifier])
    return ProcessStatus.children(of: CurrentProcess.identifier)
      .filter { $0 != process.identifier }
  }

  /// Processes of the worker that live on, if they do until then.
  private func processes(until end: Instant) -> [Int32] {
    var left = orphans
    while !left.isEmpty, !isInterrupted, Self.now < end {
      // The end of another's child is no event here.
      MonotonicClock.sleep(nanoseconds: .milliseconds(2))
      left = orphans
    }
    return left
  }

  /// Ends all processes of the worker.
  private func finish() {
    closeInput()
    process.send(.kill)
    waiter.join()
    let end = MonotonicClock.time(in: .seconds(2))
    while MonotonicClock.now < end {
      let left = orphans
      if left.isEmpty { break }
      for orphan in left { ProcessSignal.kill.send(toProcess: orphan) }
      MonotonicClock.sleep(nanoseconds: .milliseconds(1))
    }
    _ = try? process.reap()
    Descriptors.close(output)
    Descriptors.close(error)
  }
}
