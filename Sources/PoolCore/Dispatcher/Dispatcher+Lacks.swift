package import PoolModel

/// What a ready operation lacks, and what has it.
package struct OperationLacks: Hashable, Sendable {
  /// The worker that has it, if one does.
  package var worker: WorkerID?
  /// The first resource of which too few units are free.
  package var resource: Resource?
  /// Whether a worker that may execute it has greeted, and lives.
  package var hasWorker = false
  /// Number of operations of its queue that execute.
  package var executingCount = 0
  /// Whether its queue is suspended.
  package var isSuspended = false
  /// Maximum number of slots of its queue.
  package var width = 0

  /// A resource, and the operations that hold its units.
  package struct Resource: Hashable, Sendable {
    package let id: ResourceID
    package let units: Int
    package let holders: [OperationID]
  }
}

extension Dispatcher {
  /// What an operation lacks; nil for one that is not in a queue or has ended, and for a group.
  ///
  /// Linear in workers and their operations.
  func lacks(_ id: OperationID, _ records: borrowing OperationTable) -> OperationLacks? {
    guard let handle = records.handle(of: id), records[handle].isInQueue,
      !records[handle].role.hasMembers, let queue = records[handle].queue
    else { return nil }
    var lacks = OperationLacks()
    lacks.isSuspended = queues[queue].isSuspended
    lacks.width = queues[queue].width
    lacks.worker = records[handle].state.dispatch.map { assignments[$0.worker].id }
    lacks.resource = fullResource(of: handle, records)
    for worker in assignments.indices {
      let assigned = assignments[worker]
      guard configurations[assigned.configuration].fleet == queues[queue].fleet else { continue }
      if assigned.isOpen, configurations[assigned.configuration].mayServe(records[handle].kind) {
        lacks.hasWorker = true
      }
      lacks.executingCount += assigned.queue.all.count { one in
        records.handle(of: one.reference.operation).map { handle in
          records[handle].queue == queue && records[handle].state.isExecuting
        } ?? false
      }
    }
    return lacks
  }

  private func fullResource(of handle: OperationHandle, _ records: borrowing OperationTable)
    -> OperationLacks.Resource?
  {
    let claims = resources.claims(records[handle].claims)
    let full = claims.first { claim in
      !resources[claim].hasFree(for: records[handle].slots, beside: 0)
    }
    return full.map { claim in
      OperationLacks.Resource(
        id: claim,
        units: resources[claim].capacity,
        holders: holders(of: claim, records)
      )
    }
  }

  /// The operations that hold units of a resource, in the order of their workers.
  private func holders(of claim: ResourceID, _ records: borrowing OperationTable) -> [OperationID] {
    var holders: [OperationID] = []
    for worker in assignments.indices {
      for assignment in assignments[worker].queue.all {
        let id = assignment.reference.operation
        guard let handle = records.handle(of: id), records[handle].state.dispatch != nil,
          resources.claims(records[handle].claims).contains(claim)
        else { continue }
        holders.append(id)
      }
    }
    return holders
  }
}
