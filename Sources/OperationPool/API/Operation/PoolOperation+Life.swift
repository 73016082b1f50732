import Dispatch
import PoolCore
import PoolModel

extension PoolOperation {
  /// The changing state of an operation.
  ///
  /// Its lock may be taken while the engine's is held, never in the other order. There may be
  /// millions of these, so properties that few operations use are stored separately, in
  /// ``ColdState``, but accessed like the life's own.
  @dynamicMemberLookup
  struct Life {
    /// Its identifier in the machine, once that knows it.
    var id: OperationID?
    // Small properties side by side, to save space.
    var priority: PoolQueuePriority
    var qualityOfService: PoolQualityOfService
    var isAdded = false
    /// The first origin of its cancellation.
    var canceller: PoolCancellation.Origin?
    var name: String?
    var dependencies = DependencyList()
    /// The queue that it is in.
    var queue: QueueCore?
    /// Its input, as JSON or packed, while it is in a queue; empty if the input is made when the
    /// dependencies have ended.
    var payload: [UInt8] = []
    var coldState: ColdState?
    /// Its observers, if it has any: here, because most observed operations have nothing else of
    /// the cold state.
    var observers: OperationObservers?
    /// The parts of its outcome; storing them separately is cheaper.
    var settlement: Settlement?
    var report = AttemptReport.empty
  }

  /// Properties that few operations use; copies of the life share them until one changes them.
  ///
  /// Accesses are not checked at run time, because the life's lock separates them.
  final class ColdState {
    @exclusivity(unchecked) var conditions: [PoolCondition] = []
    @exclusivity(unchecked) var completionBlock: CompletionBlock?
    @exclusivity(unchecked) var progress: PoolProgress?
    /// The threads and tasks that wait for its end.
    @exclusivity(unchecked) var waiters = EndWaiters()
    /// The group that it is a member of, and an identifier that can be compared without a reference
    /// to the group: the group must not be released under this lock.
    @exclusivity(unchecked) weak var group: PoolGroupOperation?
    @exclusivity(unchecked) var groupKey: ObjectIdentifier?
    /// Whether it ever was a member of a group: the machine may not know yet that this is gone.
    @exclusivity(unchecked) var wasMember = false
    /// The resource that is the width of a group.
    @exclusivity(unchecked) var widthResource: ResourceID?
    /// The quality of service of its groups, while it is in a queue.
    @exclusivity(unchecked) var inheritedQualityOfService = PoolQualityOfService.default
    /// Whether it takes products of its dependencies as inputs.
    @exclusivity(unchecked) var takesInputs = false
    /// The reader of its outputs' lines.
    @exclusivity(unchecked) var outputLines: OutputLines?
    /// What the sequence of these lines holds.
    @exclusivity(unchecked) weak var lineReader: OutputLineReader?
    /// The Foundation operation that stands for it.
    @exclusivity(unchecked) var mirror: FoundationMirror?
    /// The dispatch queue that its queue's owner had chosen for callbacks when it finished.
    @exclusivity(unchecked) var lastCallbackQueue: DispatchQueue?

    /// The cold state of operations that have none.
    ///
    /// Unsafe for the compiler alone: it is a class with properties that change, and this object is
    /// only read.
    fileprivate nonisolated(unsafe) static let none = ColdState()

    init() {}

    fileprivate init(_ other: ColdState) {
      conditions = other.conditions
      completionBlock = other.completionBlock
      progress = other.progress
      waiters = other.waiters
      group = other.group
      groupKey = other.groupKey
      inheritedQualityOfService = other.inheritedQualityOfService
      (wasMember, widthResource) = (other.wasMember, other.widthResource)
      takesInputs = other.takesInputs
      (outputLines, lineReader) = (other.outputLines, other.lineReader)
      mirror = other.mirror
      lastCallbackQueue = other.lastCallbackQueue
    }
  }
}

extension PoolOperation.Life {
  /// Whether it uses any of these properties.
  var hasColdState: Bool { coldState != nil }

  /// Always inlined, because then a known key path becomes an offset.
  subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<PoolOperation.ColdState, Value>)
    -> Value
  {
    @inline(__always) get { (coldState ?? .none)[keyPath: path] }
    @inline(__always) set { ownColdState()[keyPath: path] = newValue }
  }

  /// The cold state, to be changed; created or copied first if necessary.
  mutating func ownColdState() -> PoolOperation.ColdState {
    if isKnownUniquelyReferenced(&coldState), let coldState { return coldState }
    let own = coldState.map { PoolOperation.ColdState($0) } ?? PoolOperation.ColdState()
    coldState = own
    return own
  }

  var outcome: PoolOutcome? {
    settlement.map { PoolOutcome($0, report, cancelledBy: canceller) }
  }

  /// Its own quality of service, or that of its groups.
  var inheritableQualityOfService: PoolQualityOfService {
    guard qualityOfService == .default, hasColdState else { return qualityOfService }
    return self.inheritedQualityOfService
  }

  /// The dispatch queue of callbacks; after the end, too.
  var callbackQueue: DispatchQueue {
    queue?.callbackQueue ?? coldState?.lastCallbackQueue ?? .global()
  }

  /// Whether it needs preparation after its dependencies have ended: conditions or inputs.
  var isDemanding: Bool { hasColdState && (!self.conditions.isEmpty || self.takesInputs) }
}
