import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import Synchronization

/// One unit of work that is executed once; Foundation's `Operation`.
///
/// An operation is made, perhaps told what it depends on, and added to one ``PoolOperationQueue``.
/// It may be used from any thread. Make one of the subclasses: ``PoolTypedOperation``,
/// ``PoolInvocationOperation`` and ``PoolCommandOperation`` are executed by worker processes,
/// ``PoolBlockOperation`` and ``PoolGroupOperation`` by this one.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: what is stored is
/// constant or behind the lock.
public class PoolOperation: @unchecked Sendable {
  /// Ready, executing and finished exclude each other; the fourth is neither.
  public enum State: Hashable, Sendable {
    /// It waits for a dependency, a gate or a condition.
    case pending
    /// It can be executed.
    case ready
    /// A worker executes it.
    case executing
    /// It has its outcome.
    case finished
  }

  /// The kind of operation: which of the worker's bodies executes it.
  public let kind: String

  /// What was said of the operation when it was made, beyond what it does.
  ///
  /// Its name, priority and quality of service may have changed since.
  public var options: PoolOperationOptions { special?.options ?? PoolOperationOptions() }

  /// The options, where they are not the defaults.
  let special: SpecialOptions?

  let life: Mutex<Life>

  /// Makes an operation of which nothing is said beyond what it does: most are so, and options that
  /// are the defaults cost more than all else here.
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
    let (id, mirror, hasDependencies) = life.withLock { life in
      (life.id, life.hasColdState ? life.mirror : nil, !life.dependencies.isEmpty)
    }
    mirror?.end(isCancelled: true)
    if let id {
      OperationRegistry.process.release(id, categories: special?.options.exclusive ?? [])
    }
    guard hasDependencies else { return }
    // Letting go of a chain of a million must not recurse a million deep.
    var orphans = takeDependencies()
    while var orphan = orphans.popLast() {
      guard isKnownUniquelyReferenced(&orphan) else { continue }
      orphans += orphan.takeDependencies()
    }
  }

  /// Takes the operation's dependencies away; only the caller holds them afterwards.
  private func takeDependencies() -> [PoolOperation] {
    life.withLock { life in
      defer { life.dependencies = DependencyList() }
      return life.dependencies.operations
    }
  }

  /// Whether it goes on after the call that starts it has returned, which all but blocks do.
  public var isAsynchronous: Bool { true }

  /// What an in-process worker executes; asked at each dispatch, on the loop's thread.
  func inProcessBody() -> InProcessBody {
    .blocks([{ [kind] in throw PoolError(.noWorker, "the kind '\(kind)' is that of blocks") }])
  }

  /// The operation's input as JSON, made when it is added to a queue; nil for one whose input is
  /// made from what it depends on.
  ///
  /// What many operations are given one after another lets values be encoded in the same memory.
  func encodedPayload(_ series: inout PayloadCoding.Series) throws(PoolError) -> [UInt8]? {
    Array("null".utf8)
  }

  /// The same, for this operation alone.
  final func encodedPayload() throws(PoolError) -> [UInt8]? {
    var series = PayloadCoding.Series()
    return try encodedPayload(&series)
  }

  /// The operation's input, made when all that it depends on has ended.
  ///
  /// Asked only of an operation that has no ``encodedPayload(_:)``.
  func preparedPayload() async throws(PoolError) -> [UInt8] {
    Array("null".utf8)
  }

  /// Whether ``encodedPayload(_:)`` writes a value, which takes longer than all else of adding.
  var encodesValue: Bool { false }

  /// Whether its input is made from what it depends on.
  var makesInputLate: Bool { false }

  /// The operation has ended: what it kept of a large input is not needed any more.
  func dropInput() {}

  /// Whether it consists of others.
  var hasMembers: Bool { false }

  /// Tells the core what is special about this sort of operation.
  func specify(_ spec: inout OperationSpec) {}

  /// The operation was cancelled; what it consists of follows.
  func cancelMembers() {}

  /// Number of its members, and theirs, that have not finished.
  func unfinishedMemberCount(_ transaction: borrowing PoolEngine.Transaction) -> Int { 0 }

  /// The operation has finished; what it consists of must, too.
  func concludeMembers(in queue: QueueCore?) {}
}
