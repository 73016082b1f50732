import Dispatch
import PoolModel

extension PoolOperation {
  /// What changes in the life of an operation.
  ///
  /// Its lock may be taken while the coordinator's is held, and never the other way round.
  struct Book {
    /// What the machine calls it, once it knows it.
    var id: OperationID?
    var name: String?
    var priority: PoolQueuePriority
    var qualityOfService: PoolQualityOfService
    var dependencies = DependencyList()
    var conditions: [PoolCondition] = []
    var completionBlock: (@Sendable () -> Void)?
    /// The queue that it is in.
    var queue: QueueCore?
    var isAdded = false
    /// Its input as JSON while it is in a queue; empty for one that is made late.
    var payload: [UInt8] = []
    /// Who asked for its cancellation first.
    var canceller: PoolCancellation.Origin?
    var outcome: PoolOutcome?
    var progress: PoolProgress?
    var hasWaiters = false
    var awaiting: [CheckedContinuation<Void, Never>] = []
    /// Those who observe it, if anybody does.
    var watchers: OperationWatchers?
    /// The group that it is a member of, and what tells that apart from others without touching it:
    /// its end must not come under this lock.
    weak var group: PoolGroupOperation?
    var groupKey: ObjectIdentifier?
    /// What others that it depends on made for it, by name.
    var inputs: [OperationInput] = []
    /// What it makes for others; they keep it.
    weak var product: InputContent?
    /// What Foundation's operations can depend on.
    var mirror: FoundationMirror?
  }
}

extension PoolOperation.Book {
  /// Where blocks of the user's are called.
  var callbackQueue: DispatchQueue { queue?.callbackQueue ?? .global() }

  /// What it needs before it can be executed, beyond the end of what it depends on.
  var isDemanding: Bool { !conditions.isEmpty || !inputs.isEmpty }
}
