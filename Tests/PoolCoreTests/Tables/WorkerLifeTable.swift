/// What each event does to worker 1 in each state; see ``WorkerStateName/scenario()``.
///
/// Reports are about `a`, which the worker has first; `b` is prefetched behind it. See
/// ``rows(_:)``.
enum WorkerLifeTable {
  static let text = """
    starting:
    drain | -; same; settle a cancelled by request
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    cancel, cancelAll | -; same; settle a cancelled by request
    closeFleet, limitWorkers | -; ending; retire 1
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted | accepted; given; announce 0; dispatch a to 1 as attempt 1
    workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, workerAnsweredCancelled, \
      workerReturned, workerRemarked | violation; same
    workerHungUp | -; ending
    workerExited | -; gone; spawn 2 of 0

    idle:
    drain | -; same
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, cancel, cancelAll, prepared, preparedRefused, \
      dispatch, suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    closeFleet, limitWorkers | -; ending; retire 1
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted | violation; same
    workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, workerAnsweredCancelled, \
      workerReturned, workerRemarked | stale; same
    workerHungUp | -; ending
    workerExited | -; gone

    given:
    drain | -; same
    dispatchFailed | -; idle; settle a failed by input
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    cancel, cancelAll | -; inTeardown; ask 1 to stop a
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted, workerAnsweredSucceeded, workerAnsweredFailed, workerReturned | violation; \
      same
    workerStarted | accepted; executing; a executes on 1 as attempt 1
    workerAnsweredCancelled | violation; same
    workerRemarked | accepted; same; passOn a
    workerHungUp | -; ending
    workerExited | -; gone; blame a for 1; spawn 2 of 0

    executing:
    drain | -; same
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    cancel, cancelAll, fireTimers | -; inTeardown; ask 1 to stop a
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted, workerReturned | violation; same
    workerStarted | accepted; same
    workerAnsweredSucceeded | accepted; idle; settle a succeeded by answer in attempt 1 on 1
    workerAnsweredFailed | accepted; idle; settle a failed by answer in attempt 1 on 1
    workerAnsweredCancelled | violation; same
    workerRemarked | accepted; same; passOn a
    workerHungUp | -; ending
    workerExited | -; gone; blame a for 1; settle a lost by workerDied in attempt 1 on 1

    holding:
    drain | -; same; ask 1 to stop b
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, closeFleet, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    cancel, fireTimers | -; inTeardown; recall b from 1; ask 1 to stop a
    cancelAll | -; inTeardown; recall b from 1; ask 1 to stop a; ask 1 to stop b
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted, workerReturned | violation; same
    workerStarted | accepted; same
    workerAnsweredSucceeded | accepted; given; settle a succeeded by answer in attempt 1 on 1
    workerAnsweredFailed | accepted; given; settle a failed by answer in attempt 1 on 1
    workerAnsweredCancelled | violation; same
    workerRemarked | accepted; same; passOn a
    workerHungUp | -; ending
    workerExited | -; gone; blame a for 1; settle a lost by workerDied in attempt 1 on 1; spawn 2 of 0
    limitWorkers | -; same; recall b from 1

    inTeardown:
    drain | -; same; ask 1 to stop b
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, cancel, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain | -; same
    cancelAll | -; same; ask 1 to stop b
    killOperations, killWorkers, workerViolated | -; ending; signal 1 with 9
    workerGreeted, workerReturned | violation; same
    workerStarted | accepted; same
    workerAnsweredSucceeded | accepted; given; settle a succeeded by answer in attempt 1 on 1
    workerAnsweredFailed | accepted; given; settle a failed by answer in attempt 1 on 1
    workerAnsweredCancelled | accepted; given; settle a cancelled by request in attempt 1 on 1
    workerRemarked | accepted; same; passOn a
    workerHungUp | -; ending
    workerExited | -; gone; settle a cancelled by request in attempt 1 on 1; spawn 2 of 0

    ending:
    drain | -; same; ask 1 to stop b
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, cancel, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp | -; same
    cancelAll | -; same; ask 1 to stop b
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted | stale; same
    workerStarted | accepted; same
    workerAnsweredSucceeded | accepted; same; settle a succeeded by answer in attempt 1 on 1
    workerAnsweredFailed | accepted; same; settle a failed by answer in attempt 1 on 1
    workerAnsweredCancelled | violation; same
    workerReturned | violation; same
    workerRemarked | accepted; same; passOn a
    workerExited | -; gone; blame a for 1; settle a lost by workerDied in attempt 1 on 1; spawn 2 of 0

    gone:
    drain | -; same; settle b cancelled by request
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, cancel, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, fireTimers, dropQueue, workerWasRead, workerUnread, workerReadAgain, workerViolated, \
      workerHungUp, workerExited | -; same
    cancelAll | -; same; settle b cancelled by request
    closeFleet, limitWorkers | -; same; retire 2
    killOperations, killWorkers | -; same; signal 2 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | stale; same
    """
}
