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
    var coldState: ColdState?
    /// Its outcome in parts, which cost less to put in place than a whole.
    var settlement: Settlement?
    var report = AttemptReport.empty
  }

  /// What few operations have, shared with copies of the book until one of them changes.
  ///
  /// Accesses are not checked at run time: the lock of the book separates them.
  final class ColdState {
    @exclusivity(unchecked) var conditions: [PoolCondition] = []
    @exclusivity(unchecked) var completionBlock: CompletionBlock?
    @exclusivity(unchecked) var progress: PoolProgress?
    /// The threads and tasks that wait for its end.
    @exclusivity(unchecked) var waiters = EndWaiters()
    /// Its observers, if it has any.
    @exclusivity(unchecked) var watchers: OperationWatchers?
    /// The group that it is a member of, and what tells that apart from others without touching it:
    /// its end must not come under this lock.
    @exclusivity(unchecked) weak var group: PoolGroupOperation?
    @exclusivity(unchecked) var groupKey: ObjectIdentifier?
    /// Whether operations that it depends on make something for it.
    @exclusivity(unchecked) var takesInputs = false
    /// What Foundation's operations can depend on.
    @exclusivity(unchecked) var mirror: FoundationMirror?

    /// What an operation has that has nothing of this; never changed.
    fileprivate nonisolated(unsafe) static let none = ColdState()

    init() {}

    fileprivate init(_ other: ColdState) {
      conditions = other.conditions
      completionBlock = other.completionBlock
      progress = other.progress
      waiters = other.waiters
      watchers = other.watchers
      group = other.group
      groupKey = other.groupKey
      takesInputs = other.takesInputs
      mirror = other.mirror
    }
  }
}

extension PoolOperation.Book {
  /// Whether it has anything that few operations have.
  var hasColdState: Bool { coldState != nil }

  /// Always inlined, because then a path that is known becomes an offset.
  subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<PoolOperation.ColdState, Value>)
    -> Value
  {
    @inline(__always) get { (coldState ?? .none)[keyPath: path] }
    @inline(__always) set { ownColdState()[keyPath: path] = newValue }
  }

  /// What few operations have, to be changed; made where there is none.
  mutating func ownColdState() -> PoolOperation.ColdState {
    if isKnownUniquelyReferenced(&coldState), let coldState { return coldState }
    let own = coldState.map { PoolOperation.ColdState($0) } ?? PoolOperation.ColdState()
    coldState = own
    return own
  }

  var outcome: PoolOutcome? {
    settlement.map { PoolOutcome($0, report, cancelledBy: canceller) }
  }

  /// Where blocks of the user's are called.
  var callbackQueue: DispatchQueue { queue?.callbackQueue ?? .global() }

  /// What it needs before it can be executed, beyond the end of what it depends on.
  var isDemanding: Bool { hasColdState && (!self.conditions.isEmpty || self.takesInputs) }
}
