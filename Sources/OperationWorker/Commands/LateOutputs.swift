import PoolModel
import PoolSystem
import PoolWire

/// Reads and drops what processes that commands have left behind write, as long as the worker
/// lives: without a reader they would be ended by their next write.
///
/// One thread reads all pipes; an operation that loses bytes is named once.
final class LateOutputs: Sendable {
  /// The operation that pipes belong to; only the thread uses it once it was taken.
  private final class Operation: @unchecked Sendable {
    let reference: DispatchReference
    let connection: CoordinatorConnection
    private var isLossTold = false
    private var isClosingTold = false

    init(_ reference: DispatchReference, _ connection: CoordinatorConnection) {
      (self.reference, self.connection) = (reference, connection)
    }

    func tellLoss() {
      guard !isLossTold else { return }
      isLossTold = true
      tell(
        "a process that it has left behind writes more output, which is dropped; "
          + "redirect that process's output, or raise the output grace"
      )
    }

    func tellClosing() {
      guard !isClosingTold else { return }
      isClosingTold = true
      tell(
        "the output of a process that it has left behind is closed: "
          + "more than \(LatePipes<Operation>.limit) such outputs are open; redirect them"
      )
    }

    func tellClosing(because failure: SystemFailure) {
      tell("the output of a process that it has left behind is closed: \(failure); redirect it")
    }

    private func tell(_ message: String) {
      connection.reportLate(Log(message: message), of: reference)
    }
  }

  private struct State {
    var new: [(descriptor: Int32, operation: Operation)] = []
    var wakePipe: WakePipe?
  }

  private let state = Monitor(State())

  /// Takes over the read ends of pipes; tells at once of bytes that are in them.
  func take(_ pipes: [Int32], of reference: DispatchReference, in connection: CoordinatorConnection)
  {
    let operation = Operation(reference, connection)
    for pipe in pipes where Descriptors.unreadByteCount(in: pipe) > 0 { operation.tellLoss() }
    do throws(SystemFailure) {
      let wakePipe = try wakePipe()
      // Hundreds of them must not use up what the user may have of pipes.
      for pipe in pipes { SystemIO.shrinkPipe(pipe) }
      state.withLock { $0.new += pipes.map { ($0, operation) } }
      wakePipe.wake()
    } catch {
      for pipe in pipes { Descriptors.close(pipe) }
      operation.tellClosing(because: error)
    }
  }

  /// Starts the thread before the first pipe.
  private func wakePipe() throws(SystemFailure) -> WakePipe {
    if let wakePipe = state.withLock({ $0.wakePipe }) { return wakePipe }
    let wakePipe = try WakePipe()
    try SystemThread.start(name: "opool-late", mask: .full) { [self] in
      serve(wakePipe)
    }.detach()
    state.withLock { $0.wakePipe = wakePipe }
    return wakePipe
  }

  private func serve(_ wakePipe: WakePipe) {
    var poller = Poller()
    var pipes = LatePipes<Operation>()
    var ready: [(key: Int, Poller.Readiness)] = []
    poller.watch(wakePipe.descriptor, for: .readable, key: 0)
    while true {
      ready.removeAll(keepingCapacity: true)
      poller.wait(nanoseconds: nil, into: &ready)
      for (key, _) in ready where key > 0 { Self.drop(key, &pipes, &poller) }
      guard ready.contains(where: { $0.key == 0 }) else { continue }
      wakePipe.drain()
      let new = state.withLock { state in
        defer { state.new = [] }
        return state.new
      }
      for new in new {
        Self.add(.init(descriptor: new.descriptor, owner: new.operation), &pipes, &poller)
      }
    }
  }

  private static func add(
    _ pipe: LatePipes<Operation>.Pipe,
    _ pipes: inout LatePipes<Operation>,
    _ poller: inout Poller
  ) {
    let (key, excess) = pipes.add(pipe)
    poller.watch(pipe.descriptor, for: .readable, key: key)
    guard let excess else { return }
    poller.forget(key: excess.key)
    Descriptors.close(excess.pipe.descriptor)
    excess.pipe.owner.tellClosing()
  }

  /// Reads once and drops it; closes a pipe that has ended.
  private static func drop(
    _ key: Int,
    _ pipes: inout LatePipes<Operation>,
    _ poller: inout Poller
  ) {
    guard let pipe = pipes.pipes[key] else { return }
    let transfer = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      try? SystemIO.read(pipe.descriptor, into: buffer)
    }
    switch transfer {
    case .bytes?: pipe.owner.tellLoss()
    case .wouldBlock?: break
    case .endOfFile?, nil:
      poller.forget(key: key)
      pipes.remove(key)
      Descriptors.close(pipe.descriptor)
    }
  }
}
