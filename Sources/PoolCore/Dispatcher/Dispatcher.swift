package import PoolModel

/// Decides which operation goes to which worker next, how much is prefetched, and what is recalled.
///
/// It knows neither dependencies nor the lives of workers. It borrows the records of operations
/// with each call; it reads them, and writes their position in the order, their kind queue, and
/// whether they are offered or dispatched. Workers that were given operations are listed until the
/// caller has taken them with ``nextSupplied()``.
package struct Dispatcher: ~Copyable {
  private let addressOnly = AddressOnly()
  let quarantineLimit: Int

  var order = SubmissionOrder()
  var resources = ResourceTable()
  var queues = Slab<QueueID, QueueLife>()
  var kindQueues = Slab<KindQueueHandle, KindQueue>()
  var fleets = Slab<FleetID, FleetRoom>()
  var configurations = Slab<ConfigurationID, ConfigurationWorkers>()
  var assignments = Slab<WorkerHandle, WorkerAssignments>()
  var vacantQueues: [QueueID] = []
  var vacantKindQueues: [KindQueueHandle] = []
  /// The entry of each kind in each fleet; the first one counts the ready operations of closed
  /// queues.
  var fleetKinds = Slab<FleetKindHandle, FleetKind>()
  var vacantFleetKinds: [FleetKindHandle] = []
  /// Fleets that have changed since they were last looked at.
  var dirtyFleets: [FleetID] = []
  var suspects = Suspects()
  /// The ready operations of open queues that need units, or several slots.
  var contenders = ReadyQueue()
  var overtaking = Overtaking()
  /// The number of the next dispatch.
  var nextNumber: UInt64 = 1
  /// Workers that were given operations.
  var supplied: [WorkerHandle] = []
  /// Number of declared kinds.
  var kindCount = 0

  /// Number of operations that are ready and that no worker has; O(1).
  package internal(set) var readyCount = 0
  /// Whether operations have become ready, or have ceased to be, since the last dispatch.
  package internal(set) var hasReadyChanged = false
  /// Number of worker processes that have operations; O(1).
  package internal(set) var busyWorkerCount = 0
  /// Number of workers that have operations behind the one that executes; O(1).
  var prefetchingWorkerCount = 0
  /// The expected length of the latest prefetched operation, if it is one of a few that a worker
  /// may hold, and they are work for a while; otherwise 0.
  var lastFewLength: Int64 = 0

  init(policy: PoolPolicy) {
    quarantineLimit = policy.quarantineLimit
    fleetKinds.append(FleetKind())
  }
}

// MARK: - Queues, fleets and configurations

extension Dispatcher {
  mutating func add(_ fleet: FleetID) {
    // The fleet that had this number before has no operations left.
    if fleet.offset < fleets.count { vacantFleetKinds += fleets[fleet].kinds.values }
    fleets.put(FleetRoom(), at: fleet)
  }

  /// Lets workers of one more configuration take operations of the fleet's queues.
  mutating func add(_ configuration: ConfigurationID, _ spec: ConfigurationSpec, to fleet: FleetID)
  {
    configurations.put(ConfigurationWorkers(spec, fleet: fleet), at: configuration)
    insert(configuration, into: fleet)
    makeRoom(for: spec.count, of: configuration)
    updateService(of: fleet)
    connectKindQueues(of: configuration)
  }

  /// Configurations are in the order in which they are preferred: those of this machine first, then
  /// those that were added earlier.
  private mutating func insert(_ configuration: ConfigurationID, into fleet: FleetID) {
    let isFar = configurations[configuration].spec.isFar
    let place = fleets[fleet].configurations.firstIndex { other in
      configurations[other].spec.isFar == isFar
        ? other.rawValue > configuration.rawValue : configurations[other].spec.isFar
    }
    let end = fleets[fleet].configurations.endIndex
    fleets[fleet].configurations.insert(configuration, at: place ?? end)
  }

  /// A configuration's worker has proved to be on this machine: it goes before those that have not.
  mutating func noteProof(by worker: WorkerHandle) {
    let configuration = assignments[worker].configuration
    guard configurations[configuration].spec.isFar else { return }
    configurations[configuration].spec.isFar = false
    for other in assignments.indices where assignments[other].configuration == configuration {
      assignments[other].window = PrefetchWindow()
    }
    let fleet = configurations[configuration].fleet
    fleets[fleet].configurations.removeAll { $0 == configuration }
    insert(configuration, into: fleet)
  }

  mutating func addQueue(to fleet: FleetID) -> QueueID {
    var life = QueueLife(fleet: fleet)
    life.place = fleets[fleet].queues.count
    fleets[fleet].openWidth += life.openWidth
    let queue = vacantQueues.add(life, to: &queues)
    fleets[fleet].queues.append(queue)
    return queue
  }

  /// Forgets a queue that is empty; returns its fleet if that has no other queue.
  mutating func remove(_ queue: QueueID) -> FleetID? {
    let fleet = queues[queue].fleet
    for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
      kindQueues[kindQueue].service = .possible
      vacantKindQueues.append(kindQueue)
      for configuration in fleets[fleet].configurations {
        configurations[configuration].kindQueueHeap.forget(kindQueue)
      }
    }
    queues[queue].queueOfKind = []
    fleets[fleet].openWidth -= queues[queue].openWidth
    if let last = fleets[fleet].queues.popLast(), last != queue {
      fleets[fleet].queues[queues[queue].place] = last
      queues[last].place = queues[queue].place
    }
    vacantQueues.append(queue)
    return fleets[fleet].queues.isEmpty ? fleet : nil
  }

  /// No worker of these configurations will ever start again; returns whether their fleet has no
  /// queues.
  mutating func forget(_ gone: [ConfigurationID], of fleet: FleetID) -> Bool {
    for configuration in gone {
      configurations[configuration].kindQueueHeap = KindQueueHeap()
      configurations[configuration].fleetKinds = []
    }
    fleets[fleet].configurations = []
    return fleets[fleet].queues.isEmpty
  }

  func fleet(of queue: QueueID) -> FleetID { queues[queue].fleet }

  /// Whether the queue dispatches nothing.
  package func isSuspended(_ queue: QueueID) -> Bool { queues[queue].isSuspended }

  /// Maximum number of slots that operations of the queue take at once.
  package func width(of queue: QueueID) -> Int { queues[queue].width }

  /// The slots that the queue's operations take now, and the number of further dispatches
  /// permitted.
  package func starts(of queue: QueueID) -> (assigned: Int, permits: Int) {
    (queues[queue].assignedSlots, queues[queue].permits)
  }

  /// Changes a queue; returns it if what its operations contend for must be reviewed.
  mutating func change(_ queue: QueueID, _ body: (inout QueueLife) -> Void) -> QueueID? {
    let before = queues[queue].openWidth
    let wasOpen = queues[queue].isOpen
    body(&queues[queue])
    let fleet = queues[queue].fleet
    fleets[fleet].openWidth += queues[queue].openWidth - before
    unpark(queue)
    markDirty(fleet)
    guard queues[queue].isOpen != wasOpen else { return nil }
    recount(queue)
    return queues[queue].contenderCount > 0 ? queue : nil
  }

  /// Ready operations contend only while their queue can dispatch: a closed queue reserves nothing.
  mutating func reviewContention(of handles: [OperationHandle], _ records: inout OperationTable) {
    for handle in handles where records[handle].state.isReady && records[handle].contends {
      if queues[kindQueues[records[handle].kindQueue].queue].isOpen {
        contend(handle, &records)
      } else {
        let (key, isOffered) = (records[handle].key, records[handle].state.isOffered)
        withdraw(handle, &records)
        endContention(handle, key, isOffered: isOffered, &records)
      }
    }
  }
}

// MARK: - Kinds

extension Dispatcher {
  /// Declares the next kind; kinds are numbered from 0 in the order of declaration.
  ///
  /// `servers` are the configurations whose workers announced the kind before it was declared.
  package mutating func addKind(servedBy servers: [ConfigurationID] = []) -> KindID {
    precondition(kindCount <= UInt32.max, "each kind has a number of 32 bits")
    let kind = KindID(rawValue: UInt32(kindCount))
    kindCount += 1
    for configuration in servers { configurations[configuration].kinds?.append(kind) }
    return kind
  }

  /// Whether every configuration of the fleet has announced its kinds, or was given up and has no
  /// worker left.
  package func isKnown(_ fleet: FleetID) -> Bool {
    fleets[fleet].configurations.allSatisfy {
      configurations[$0].kinds != nil || configurations[$0].isBroken
    }
  }

  /// The kind queue of a kind in a queue, created if there is none; amortised O(1).
  mutating func kindQueue(of kind: KindID, in queue: QueueID) -> KindQueueHandle {
    let number = Int(kind.rawValue)
    while queues[queue].queueOfKind.count <= number { queues[queue].queueOfKind.append(.none) }
    let known = queues[queue].queueOfKind[number]
    if known != .none { return known }
    let fleet = queues[queue].fleet
    var new = KindQueue(queue: queue, kind: kind)
    new.service = service(of: kind, by: fleet)
    let kindQueue = vacantKindQueues.add(new, to: &kindQueues)
    queues[queue].queueOfKind[number] = kindQueue
    let fleetKind = fleetKind(of: kind, in: fleet)
    kindQueues[kindQueue].fleetKind = fleetKind
    if queues[queue].isOpen { kindQueues[kindQueue].counter = fleetKind }
    for configuration in fleets[fleet].configurations
    where configurations[configuration].kinds?.contains(kind) == true {
      configurations[configuration].kindQueueHeap.serve(kindQueue)
    }
    return kindQueue
  }

  /// Finds the kind queues that a configuration serves, after its kinds have become known.
  mutating func connectKindQueues(of configuration: ConfigurationID) {
    let fleet = configurations[configuration].fleet
    markDirty(fleet)
    guard let kinds = configurations[configuration].kinds else { return }
    configurations[configuration].fleetKinds = kinds.compactMap { fleets[fleet].kinds[$0] }
    for queue in fleets[fleet].queues {
      for kind in kinds where Int(kind.rawValue) < queues[queue].queueOfKind.count {
        let kindQueue = queues[queue].queueOfKind[Int(kind.rawValue)]
        guard kindQueue != .none else { continue }
        configurations[configuration].kindQueueHeap.serve(kindQueue)
        guard let key = kindQueues[kindQueue].ready.first else {
          kindQueues[kindQueue].listedUnder = .max
          continue
        }
        list(kindQueue, under: key.packed)
      }
    }
  }

  /// Whether workers serve a kind; a reserve counts only for kinds of no other configuration.
  func service(of kind: KindID, by fleet: FleetID) -> KindQueue.Service {
    guard !fleets[fleet].configurations.isEmpty else { return .possible }
    let candidates = fleets[fleet].configurations.filter { configurations[$0].mayServe(kind) }
    let owners = candidates.filter { !configurations[$0].spec.isReserve }
    let servers = owners.isEmpty ? candidates : owners
    if servers.contains(where: { !configurations[$0].isBroken }) { return .possible }
    return servers.isEmpty ? .unserved : .broken
  }

  /// Whether all kinds that the fleet's workers serve are known, and this one is not among them.
  package func isUnserved(_ kind: KindID, by fleet: FleetID) -> Bool {
    service(of: kind, by: fleet) == .unserved
  }

  /// Whether any worker serves the operation's kind, or may serve it.
  @inline(__always)
  func service(of handle: OperationHandle, _ records: borrowing OperationTable) -> KindQueue.Service
  {
    kindQueues[records[handle].kindQueue].service
  }

  /// Why a ready operation fails, if no worker can execute it.
  func refusal(of handle: OperationHandle, _ records: borrowing OperationTable) -> EndingCause? {
    records[handle].state.isReady ? service(of: handle, records).failure : nil
  }

  /// Determines again which kinds the fleet's workers serve, after some configurations were given
  /// up; returns the queues in which a kind is not served.
  mutating func reviewService(of fleet: FleetID, without broken: [ConfigurationID]) -> [QueueID] {
    markDirty(fleet)
    for configuration in fleets[fleet].configurations {
      configurations[configuration].isBroken = broken.contains(configuration)
    }
    updateService(of: fleet)
    return fleets[fleet].queues.filter { queue in
      queues[queue].queueOfKind.contains { $0 != .none && kindQueues[$0].service != .possible }
    }
  }

  private mutating func updateService(of fleet: FleetID) {
    for queue in fleets[fleet].queues {
      for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
        kindQueues[kindQueue].service = service(of: kindQueues[kindQueue].kind, by: fleet)
      }
    }
  }
}
