/// What each event does to an operation `a` in each state; see ``OperationStateName/scenario()``.
///
/// `d` waits for `a`, `a` waits for `z` where it waits, and `x` has failed before. See
/// ``rows(_:)``.
enum OperationLifeTable {
  static let text = """
    free:
    drain | -; same
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, cancel, cancelAll, prepared, preparedRefused, \
      dispatch, suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp, workerExited | -; same
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    created:
    drain | -; same; settle d cancelled by request
    addDependency, removeDependency, addGate, openGate, setPriority, observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, cancel, prepared, \
      preparedRefused, dispatch, suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, dropQueue, \
      workerWasRead, workerUnread, workerReadAgain, workerHungUp, workerExited | -; same
    addDependencyFailed | -; willSkip
    enqueue | -; ready
    conclude | -; settled
    release | -; free; settle d skipped by dependency of a
    cancelAll | -; same; settle d cancelled by request
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    willSkip:
    drain | -; same; settle d cancelled by request
    addDependency, addDependencyFailed, addGate, openGate, setPriority, observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, cancel, \
      prepared, preparedRefused, dispatch, suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, \
      dropQueue, workerWasRead, workerUnread, workerReadAgain, workerHungUp, workerExited | -; same
    removeDependency | -; created
    enqueue | -; settled; settle a skipped by dependency of x; settle d skipped by dependency \
      of x
    conclude | -; settled
    release | -; free; settle d skipped by dependency of a
    cancelAll | -; same; settle d cancelled by request
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    waiting:
    drain | -; settled; settle d cancelled by request; settle a cancelled by request
    addDependency, addGate, openGate, setPriority, observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, \
      prepared, preparedRefused, dispatch, suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, \
      dropQueue, workerWasRead, workerUnread, workerReadAgain, workerHungUp, workerExited | -; same
    addDependencyFailed | -; settled; settle a skipped by dependency of x; settle d skipped by \
      dependency of x
    removeDependency | -; ready
    cancel | -; settled; settle a cancelled by request; settle d skipped by dependency of a
    cancelAll | -; settled; settle d cancelled by request; settle a cancelled by request
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    preparing:
    drain | -; settled; settle d cancelled by request; settle a cancelled by request
    addDependency, addGate | -; waiting
    addDependencyFailed | -; settled; settle a skipped by dependency of x; settle d skipped by \
      dependency of x
    removeDependency, openGate, setPriority, observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, dispatch, \
      suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, dropQueue, workerWasRead, workerUnread, workerReadAgain, workerHungUp, \
      workerExited | -; same
    cancel | -; settled; settle a cancelled by request; settle d skipped by dependency of a
    cancelAll | -; settled; settle d cancelled by request; settle a cancelled by request
    prepared | -; ready
    preparedRefused | -; settled; settle a failed by condition; settle d skipped by dependency \
      of a
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    ready:
    drain | -; settled; settle d cancelled by request; settle a cancelled by request
    addDependency, addGate | -; waiting
    addDependencyFailed | -; settled; settle a skipped by dependency of x; settle d skipped by \
      dependency of x
    removeDependency, openGate, setPriority, observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, prepared, \
      preparedRefused, dispatch, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp, workerExited | -; same
    cancel | -; settled; settle a cancelled by request; settle d skipped by dependency of a
    cancelAll | -; settled; settle d cancelled by request; settle a cancelled by request
    suspended | -; dispatched; dispatch a to 1 as attempt 1
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    dispatched:
    drain | -; same; settle d cancelled by request
    dispatchFailed | -; settled; settle a failed by input; settle d skipped by dependency of a
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp | -; same
    cancel | -; same; ask 1 to stop a
    cancelAll | -; same; settle d cancelled by request; ask 1 to stop a
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerAnsweredSucceeded, workerAnsweredFailed, workerReturned | violation; \
      same
    workerStarted | accepted; executing; a executes on 1 as attempt 1
    workerAnsweredCancelled | violation; same
    workerRemarked | accepted; same; passOn a
    workerExited | -; ready; blame a for 1

    executing:
    drain | -; same; settle d cancelled by request
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, release, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp | -; same
    cancel, fireTimers | -; same; ask 1 to stop a
    cancelAll | -; same; settle d cancelled by request; ask 1 to stop a
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerReturned | violation; same
    workerStarted | accepted; same
    workerAnsweredSucceeded | accepted; settled; settle a succeeded by answer in attempt 1 on \
      1
    workerAnsweredFailed | accepted; ready; retry a failed by answer in attempt 1 on 1
    workerAnsweredCancelled | violation; same
    workerRemarked | accepted; same; passOn a
    workerExited | -; ready; blame a for 1; retry a lost by workerDied in attempt 1 on 1

    open:
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, enqueue, conclude, release, cancel, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, fireTimers, dropQueue, workerWasRead, workerUnread, \
      workerReadAgain, workerHungUp, workerExited, addMember, removeMember, dispatchFailed, \
      requestPreparation, bound, leaveGroup, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested | -; same
    cancelAll, drain | -; same; settle d cancelled by request
    closeFleet, limitWorkers | -; same; retire 1
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, \
      workerAnsweredCancelled, workerReturned, workerRemarked | violation; same

    settled:
    drain | -; same
    addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, \
      observe, \
      addMember, requestPreparation, bound, leaveGroup, removeMember, dispatchFailed, enqueue, conclude, cancel, prepared, preparedRefused, dispatch, \
      suspended, width, capacity, permits, fireTimers, workerMeasured, workerCrashing, workerProved, workerTimed, \
      workerRenewed, workerContinued, \
      workerCongested, closeFleet, limitWorkers, dropQueue, workerWasRead, workerUnread, workerReadAgain, \
      workerHungUp | -; same
    workerExited | -; same; blame d for 1
    release | -; free
    cancelAll | -; same; ask 1 to stop d
    killOperations, killWorkers, workerViolated | -; same; signal 1 with 9
    workerGreeted | violation; same
    workerStarted, workerAnsweredSucceeded, workerAnsweredFailed, workerAnsweredCancelled, \
      workerReturned, workerRemarked | stale; same
    """
}
