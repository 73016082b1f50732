import PoolModel

/// What a pool should do, worked out on paper: plain records, and the rules of the documentation
/// applied to all of them after every call.
struct PaperPool {
  enum Phase: Hashable {
    /// In no queue.
    case loose
    case queued
    /// In a queue, and its condition is being evaluated.
    case preparing
    case executing
    case finished(PoolEnding)
  }

  struct Dependency {
    var index: Int
    var requirement: PoolRequirement
  }

  struct Operation {
    var priority = PoolQueuePriority.normal
    var raisesDependencies = false
    var slots = 1
    /// Names of what it takes a unit of.
    var claims: [String] = []
    var isBarrier = false
    var retries = 0
    var dependencies: [Dependency] = []
    var closedGates = 0
    var isCancelled = false
    var phase = Phase.loose
    var queue = 0
    /// Its place in the order in which operations were added.
    var place = 0
    /// How often a later one has taken what it needs, since it could go on.
    var overtaken = 0
    /// Executions that have begun.
    var begun = 0
    var hasCondition = false
    var isPrepared = false
    /// How often its condition was asked.
    var asked = 0
    /// The group that it is in.
    var group: Int?
    var isGroup = false
    var members: [Int] = []
    /// How many slots a group's members have.
    var width = Int.max
    /// Whether a group was ever given a width.
    var isLimited = false
    /// Whether a member counts for its group's width: not where it executed before there was one.
    var isBounded = false
    /// How a group ends once its members have, if that is decided.
    var verdict: PoolEnding?

    var isFinished: Bool {
      if case .finished = phase { return true }
      return false
    }

    /// Whether a group holds its members back no longer.
    var isOpen: Bool { isGroup && phase == .executing }

    /// Whether it still can be told to wait for something.
    var acceptsDependencies: Bool { phase == .loose || isWaiting }

    /// Whether it is in a queue, and no worker has it.
    var isWaiting: Bool { phase == .queued || phase == .preparing }
  }

  struct Queue {
    var width = Int.max
    var isSuspended = false

    var isOpen: Bool { !isSuspended && width > 0 }
  }

  var operations: [Operation] = []
  var queues: [Queue] = []
  /// Units of each claim; one where nothing is said.
  var units: [String: Int] = [:]
  var added = 0
  /// As urgent as what waits for it, where that raises its dependencies.
  var inherited: [Point: PoolQueuePriority] = [:]
  /// Whether what was last called comes out differently, depending on what happens to be first.
  var isAmbiguous = false
}
