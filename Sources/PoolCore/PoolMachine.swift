package import PoolModel

/// The settings of a pool that decisions depend on.
package struct PoolPolicy: Hashable, Sendable {
  /// How an executing operation is made to end.
  package var ladder = PoolTerminationLadder.standard
  /// How long a worker may take to greet, in nanoseconds.
  package var greetingTimeout = Int64.seconds(10)
  /// How long a worker may take to begin what it was given, in nanoseconds.
  package var startTimeout = Int64.seconds(30)
  /// How long a worker that has nothing more to say may take to end, in nanoseconds.
  package var endTimeout = Int64.seconds(2)
  /// Deaths in a period after which a recipe is given up; see `RestartIntensity`.
  package var restartLimit = 5
  package var restartPeriod = Int64.seconds(10)
  /// The same for a recipe of which no worker has ever greeted.
  package var firstStartLimit = 2

  /// Whether workers of which nobody knows what they serve are started only when something is
  /// ready that they might serve; else they are at once.
  package var startsOnDemand = false

  package init() {}
}

/// Every decision of the pool: what happened goes in, what is to be done comes out.
///
/// Events are methods that take the time as an argument; what follows from them is appended to
/// ``effects``, in order, for the shell to perform. Nothing here knows a process, a clock or a
/// lock, so a whole run can be tested, simulated and replayed by calling methods.
///
/// Operations are handed to workers by ``dispatch(at:)`` only, which the shell calls once after
/// it has reported everything that it knows.
package struct PoolMachine {
  /// What the shell must do; it takes the list with ``takeEffects(into:)``.
  package internal(set) var effects: [Effect] = []

  let policy: PoolPolicy
  var operations = OperationTable()
  var graph = DependencyGraph()
  var order = SubmissionOrder()
  var lanes: [Lane] = []
  var recipes: [RecipeLife] = []
  var workers = WorkerTable()
  var alarms = AlarmQueue()
  var nextDispatch: UInt64 = 1
  /// Operations that workers have.
  var assignedCount = 0
  /// What must still settle because of the settlement at hand; empty between events.
  var aftermath: [Aftermath] = []

  /// While true, nothing is dispatched; what was dispatched goes on.
  package var isSuspended = false
  /// How many operations workers may have at once.
  package var width = Int.max
  /// No worker is started any more.
  package internal(set) var isClosing = false

  /// Operations in the queue: added and not settled; O(1).
  package internal(set) var unsettledCount = 0
  /// Operations that execute; O(1).
  package internal(set) var executingCount = 0
  /// Operations in the ready queue; O(1).
  package internal(set) var readyCount = 0
  /// Operations that ended so, by `PoolEnding`'s raw value.
  package internal(set) var endings = Array(repeating: 0, count: PoolEnding.allCases.count)

  package init(policy: PoolPolicy = PoolPolicy()) {
    self.policy = policy
  }

  /// The ready operations of one kind, and what is known of the kind.
  struct Lane {
    var ready = ReadyQueue()
    var estimate = CreditPolicy.Estimate()
    /// Whether any worker serves the kind, or may.
    var service = Service.possible
  }

  enum Service {
    case possible
    /// All recipes are known, and none serves the kind.
    case unserved
    /// A recipe that serves it was given up.
    case broken
  }

  /// A dependent of something that settled.
  struct Aftermath {
    var slot: Int
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// What began it all.
    var root: OperationID
  }

  /// The next instant at which ``ring(at:)`` has something to do.
  package var nextDeadline: Instant? { alarms.next }

  /// Workers that were asked for and are not gone; O(recipes).
  package var liveWorkerCount: Int { recipes.reduce(0) { $0 + $1.live } }

  /// Exchanges the effects for an empty list that the caller has used before.
  package mutating func takeEffects(into list: inout [Effect]) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &effects)
  }

  /// Declares the next kind; kinds are numbered from 0 in the order of declaration.
  package mutating func addKind() -> KindID {
    lanes.append(Lane())
    let kind = KindID(rawValue: UInt16(lanes.count - 1))
    lanes[lanes.count - 1].service = service(of: kind)
    return kind
  }

  /// Declares the next recipe; recipes are numbered from 0 in the order of declaration.
  package mutating func addRecipe(_ spec: RecipeSpec) -> RecipeID {
    let intensity = RestartIntensity(limit: policy.restartLimit, period: policy.restartPeriod)
    recipes.append(RecipeLife(spec, intensity: intensity))
    for kind in lanes.indices { lanes[kind].service = .possible }
    return RecipeID(rawValue: UInt16(recipes.count - 1))
  }

  /// Whether every recipe has said what it serves, or was given up.
  package var isFleetKnown: Bool {
    recipes.allSatisfy { $0.kinds != nil || $0.isBroken }
  }

  /// Whether all that workers serve is known, and the kind is not among it.
  package func isUnserved(_ kind: KindID) -> Bool {
    service(of: kind) == .unserved
  }
}
