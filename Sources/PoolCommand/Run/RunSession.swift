import OperationPool
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// One run of a batch: submits it, and turns what the coordinator tells into outputs, results and
/// words.
///
/// Everything but ``submit()`` and ``wait()`` happens on the coordinator's thread; the lock is
/// for the compiler, and never contended.
final class RunSession: CoordinatorClient {
  let batch: any Batch
  let options: SharedOptions
  let control: RunControl
  let printer: Printer
  let board: RunBoard
  let state: Mutex<State>
  private let isOver = Monitor(false)

  /// What a run comes to.
  struct State {
    var summary = Summary()
    var results: ResultsFile?
    /// How each operation has ended, by number; 255 while it has not.
    var endings: [UInt8]
    /// An operation could not be executed because no worker could be kept alive.
    var lacksWorkers = false
    /// An output or the results could not be kept.
    var hasLostOutput = false
    /// Whether anything may run yet: not before it is known that every kind is served.
    var isFleetChecked = false
  }

  init(
    _ batch: any Batch,
    _ options: SharedOptions,
    _ control: RunControl,
    _ printer: Printer,
    _ board: RunBoard,
    results: sending ResultsFile?
  ) {
    self.batch = batch
    self.options = options
    self.control = control
    self.printer = printer
    self.board = board
    let endings = [UInt8](repeating: .max, count: batch.count)
    state = Mutex(State(results: results, endings: endings))
  }

  /// Puts all operations into the queue; they are numbered as in the batch.
  func submit() {
    let kinds = batch.kindNames.map { control.coordinator.kind($0) }
    control.coordinator.tell { machine, now in
      machine.reserve(batch.count)
      for operation in 0..<batch.count {
        let id = machine.create(spec(operation, kinds))
        precondition(id.slot == operation, "operations have the numbers of their slots")
      }
      for operation in 0..<batch.count {
        batch.forEachDependency(of: operation) { other, requirement in
          machine.addDependency(
            of: OperationID(slot: operation, generation: 0),
            on: OperationID(slot: other, generation: 0),
            requiring: requirement,
            at: now
          )
        }
      }
      for operation in 0..<batch.count {
        machine.enqueue(OperationID(slot: operation, generation: 0), at: now)
      }
    }
  }

  private func spec(_ operation: Int, _ kinds: [KindID]) -> OperationSpec {
    OperationSpec(
      kind: kinds[batch.kindIndex(of: operation)],
      priority: batch.priority(of: operation),
      timeout: batch.timeout(of: operation) ?? options.timeout,
      retries: batch.retries(of: operation) ?? options.retries ?? 0
    )
  }

  /// Waits until the coordinator has ended.
  func wait() {
    isOver.wait(while: { !$0 }, then: { _ in })
  }

  func coordinatorRests() {
    control.coordinator.stop()
  }

  func coordinatorStopped() {
    isOver.withLock { $0 = true }
    isOver.broadcast()
  }

  /// Says something to people, unless they want silence.
  func say(_ text: String, always: Bool = false) {
    if options.verbosity != .quiet || always { printer.say(Array("opool: \(text)\n".utf8)) }
  }

  /// The identifier as text that is safe to print.
  func label(_ operation: OperationID) -> String {
    Printable.text(batch.name(of: operation.slot))
  }
}
