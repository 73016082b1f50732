import PoolModel

// Workers are started where there is work for them.

extension PoolMachine {
  /// Asks for as many workers as there is work for, within each worker configuration's count.
  mutating func startWorkers(at now: Instant) {
    for configuration in configurations.indices
    where !fleets[configurations[configuration].fleet].isClosing {
      while needsWorker(configuration) {
        let restartAt = max(
          configurations[configuration].restartAt,
          configurations[configuration].shortage.roomAt
        )
        guard restartAt <= now else {
          restarts.arm(configuration, at: restartAt)
          break
        }
        spawn(configuration, at: now)
      }
    }
  }

  /// Asked in each turn, so that the worker configuration is not copied.
  private func needsWorker(_ index: ConfigurationID) -> Bool {
    guard configurations[index].live < configurations[index].spec.count,
      !configurations[index].isExhausted
    else {
      return false
    }
    let (fleet, starting) = (configurations[index].fleet, configurations[index].starting)
    guard let kinds = configurations[index].kinds else {
      return configurations[index].spec.isEager || unclaimedCount(in: fleet) > starting
    }
    if configurations[index].spec.isReserve, !isReserveNeeded(kinds, in: fleet) { return false }
    let suspectCount = suspectCount(for: index)
    if suspectCount > 0, suspectCount > starting + freshIdleCount(of: index) { return true }
    return readyCount(for: index) + suspectCount > starting + configurations[index].idle.count
      && configurations[index].live < width(ofFleet: fleet)
  }

  /// Ready operations of which nobody has said yet that he serves their kind.
  private func unclaimedCount(in fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].queueOfKind.reduce(sum) { sum, kindQueue in
        guard kindQueue != .none else { return sum }
        // Suspects, too, wait for somebody who serves them.
        let count = kindQueues[kindQueue].ready.count + kindQueues[kindQueue].suspects.count
        guard count > 0 else { return sum }
        let kind = kindQueues[kindQueue].kind
        // A reserve serves only what everybody else was asked for in vain.
        let isServed = fleets[fleet].configurations.contains {
          configurations[$0].kinds?.contains(kind) == true && !configurations[$0].isBroken
            && !configurations[$0].spec.isReserve
        }
        return isServed ? sum : sum + count
      }
    }
  }

  /// How many operations of a fleet's queues may be with workers at once.
  private func width(ofFleet fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      // Most queues have no limit, and their sum must not overflow. What was dispatched from a
      // queue that is closed by now keeps its workers, and no other queue's are fewer for that.
      let width = queues[queue].isOpen ? min(queues[queue].width, 1 << 32) : 0
      return sum + max(width, queues[queue].assignedSlots)
    }
  }

  /// Whether all other worker configurations have said what they serve, and one of these kinds was
  /// not among it.
  ///
  /// A worker configuration that was given up before it said so might have served anything: its
  /// operations fail rather than be executed where the caller did not ask for it.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: FleetID) -> Bool {
    let others = fleets[fleet].configurations.map { configurations[$0] }.filter {
      !$0.spec.isReserve
    }
    return kinds.contains { kind in !others.contains { $0.claims(kind) } }
  }

  private mutating func spawn(_ index: ConfigurationID, at now: Instant) {
    let isInProcess = configurations[index].spec.isInProcess
    let deadline = isInProcess ? .distantFuture : now.advanced(by: policy.greetingTimeout)
    let configuration = index
    let (slot, id) = workers.add(of: configuration, deadline: deadline)
    configurations[index].live += 1
    configurations[index].starting += 1
    arm(slot)
    configurations[index].shortage.noteSpawn(id, policy.shortageBackOff, at: now)
    effects.append(.spawn(id, configuration))
  }
}
