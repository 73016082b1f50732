import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// One unit of work that is executed once; the counterpart of Foundation's `Operation`.
///
/// Create an operation, add dependencies if it has any, and add it to one ``PoolOperationQueue``.
/// It may be used from any thread. Use one of the subclasses: worker processes execute
/// ``PoolTypedOperation``, ``PoolInvocationOperation`` and ``PoolCommandOperation``; this process
/// executes ``PoolBlockOperation`` and ``PoolGroupOperation``.
///
/// `@unchecked Sendable`, because the compiler cannot check a class with subclasses: its properties
/// are constant or behind the lock.
public class PoolOperation: @unchecked Sendable {
  /// The states exclude each other; `pending` is none of ready, executing and finished.
  public enum State: Hashable, Sendable {
    /// It waits for a dependency, a gate or a condition.
    case pending
    /// It can be executed.
    case ready
    /// A worker executes it, or it is a group whose members may be executed.
    case executing
    /// It has its outcome.
    case finished
  }

  /// The kind of operation: which of the worker's bodies executes it.
  public let kind: String

  /// The options with which the operation was created.
  ///
  /// Its name, priority and quality of service may have changed since.
  public var options: PoolOperationOptions { special?.options ?? PoolOperationOptions() }

  /// The options, where they are not the defaults.
  let special: SpecialOptions?

  let life: Mutex<Life>

  /// Makes an operation with default options.
  ///
  /// Most have these, and storing them would cost more than everything else here.
  init(kind: String) {
    self.kind = kind
    special = nil
    life = Mutex(Life(priority: .normal, qualityOfService: .default))
  }

  init(kind: String, _ options: borrowing PoolOperationOptions) {
    self.kind = kind
    special = options.areDefaults ? nil : SpecialOptions(options.normalized)
    life = Mutex(
      Life(
        priority: options.queuePriority,
        qualityOfService: options.qualityOfService,
        name: options.name
      )
    )
  }

  deinit {
    let (id, mirror, lines, width, hasDependencies) = life.withLock { life in
      let cold = life.coldState
      let hasDependencies = !life.dependencies.isEmpty
      return (life.id, cold?.mirror, cold?.outputLines, cold?.widthResource, hasDependencies)
    }
    mirror?.end(isCancelled: true)
    lines?.close()
    if let id {
      OperationRegistry.process.release(id, special?.options.exclusive ?? [], width: width)
    }
    guard hasDependencies else { return }
    // Releasing a chain of a million must not recurse a million deep.
    var orphans = takeDependencies()
    while var orphan = orphans.popLast() {
      guard isKnownUniquelyReferenced(&orphan) else { continue }
      orphans += orphan.takeDependencies()
    }
  }

  /// Removes the operation's dependencies; afterwards only the caller holds them.
  private func takeDependencies() -> [PoolOperation] {
    life.withLock { life in
      defer { life.dependencies = DependencyList() }
      return life.dependencies.operations
    }
  }

  /// Whether it goes on after the call that starts it has returned; false only for blocks.
  public var isAsynchronous: Bool { true }

  /// The body for a block worker; asked at each dispatch, by the thread that takes turns.
  package func executionBody() -> ExecutionBody {
    .block { [kind] in throw PoolError(.noWorker, "the kind '\(kind)' is that of blocks") }
  }

  /// The operation's input as JSON, made when it is added to a queue; nil if its input depends on
  /// the results of dependencies.
  ///
  /// A series lets many operations encode their values in the same memory.
  func encodedPayload(_ series: inout PayloadCoding.Series) throws(PoolError) -> [UInt8]? {
    Array("null".utf8)
  }

  /// The same, for this operation alone.
  final func encodedPayload() throws(PoolError) -> [UInt8]? {
    var series = PayloadCoding.Series()
    return try encodedPayload(&series)
  }

  /// The operation's input, made when all its dependencies have ended.
  ///
  /// Asked only of an operation without ``encodedPayload(_:)``.
  func preparedPayload() async throws(PoolError) -> [UInt8] {
    Array("null".utf8)
  }

  /// Whether ``encodedPayload(_:)`` encodes a value, which takes longer than everything else of
  /// adding.
  var encodesValue: Bool { false }

  /// Whether its input depends on the results of dependencies.
  var makesInputLate: Bool { false }

  /// The operation has ended: its stored input is no longer needed.
  func dropInput() {}

  /// Number of bytes of its outputs that its outcome may have.
  var outputLimits: OutputLimits { .standard }

  /// Whether its worker is told how much of its outputs to keep.
  var sendsOutputLimits: Bool { false }

  /// Whether it can have members.
  var hasMembers: Bool { false }

  /// What enters a queue with it.
  func memberEntries(inheriting quality: PoolQualityOfService) -> [QueueEntry] { [] }

  /// It has entered a queue, with its members.
  func membersEntered() {}

  /// Why it failed because of a member, which is the root.
  func memberNote(root: OperationID) -> String? { nil }

  /// Sets the properties of this class in the core's description.
  func specify(_ spec: inout OperationSpec) {}
}
