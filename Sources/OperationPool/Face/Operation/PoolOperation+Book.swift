import Dispatch
import PoolCore
import PoolModel

extension PoolOperation {
  /// What changes in the life of an operation.
  ///
  /// Its lock may be taken while the engine's is held, and never the other way round. There
  /// are millions of these, so that what few operations have is kept elsewhere: see ``ColdState``,
  /// whose properties are used as if they were the book's.
  @dynamicMemberLookup
  struct Book {
    /// What the machine calls it, once it knows it.
    var id: OperationID?
    // Bytes together: so they take no more room than they need.
    var priority: PoolQueuePriority
    var qualityOfService: PoolQualityOfService
    var isAdded = false
    /// The first origin of its cancellation.
    var canceller: PoolCancellation.Origin?
    var name: String?
    var dependencies = DependencyList()
    /// The queue that it is in.
    var queue: QueueCore?
    /// Its input, as JSON or packed, while it is in a queue; empty for one that is made late.
    var payload: [UInt8] = []
    var coldStorage: ColdStorage?
    /// Its outcome in parts, which cost less to put in place than a whole.
    var settlement: Settlement?
    var report = AttemptReport.empty
  }

  /// What few operations have.
  struct ColdState {
    var conditions: [PoolCondition] = []
    var completionBlock: (@Sendable () -> Void)?
    var progress: PoolProgress?
    /// The threads and tasks that wait for its end.
    var waiters = EndWaiters()
    /// Its observers, if it has any.
    var watchers: OperationWatchers?
    /// The group that it is a member of, and what tells that apart from others without touching it:
    /// its end must not come under this lock.
    weak var group: PoolGroupOperation?
    var groupKey: ObjectIdentifier?
    /// Whether operations that it depends on make something for it.
    var takesInputs = false
    /// What Foundation's operations can depend on.
    var mirror: FoundationMirror?
  }

  /// Where cold state are kept, and shared with copies of the book until one of them changes.
  final class ColdStorage {
    /// Accesses are not checked at run time: the lock of the book separates them.
    @exclusivity(unchecked) var coldState: ColdState

    init(_ coldState: ColdState) {
      self.coldState = coldState
    }
  }
}

extension PoolOperation.Book {
  /// Whether it has anything that few operations have.
  var hasColdState: Bool { coldStorage != nil }

  /// Always inlined, because then a path that is known becomes an offset.
  subscript<Value>(dynamicMember path: WritableKeyPath<PoolOperation.ColdState, Value>) -> Value {
    @inline(__always) get {
      coldStorage?.coldState[keyPath: path] ?? PoolOperation.ColdState()[keyPath: path]
    }
    @inline(__always) set { ownColdStorage().coldState[keyPath: path] = newValue }
  }

  /// The place of what few operations have, shared with no copy of the book; made where there is none.
  mutating func ownColdStorage() -> PoolOperation.ColdStorage {
    if isKnownUniquelyReferenced(&coldStorage), let coldStorage { return coldStorage }
    let storage = PoolOperation.ColdStorage(coldStorage?.coldState ?? PoolOperation.ColdState())
    coldStorage = storage
    return storage
  }

  var outcome: PoolOutcome? {
    settlement.map { PoolOutcome($0, report, cancelledBy: canceller) }
  }

  /// Where blocks of the user's are called.
  var callbackQueue: DispatchQueue { queue?.callbackQueue ?? .global() }

  /// What it needs before it can be executed, beyond the end of what it depends on.
  var isDemanding: Bool { hasColdState && (!self.conditions.isEmpty || self.takesInputs) }
}
