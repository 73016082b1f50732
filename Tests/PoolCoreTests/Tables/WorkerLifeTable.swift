/// What each event does to worker 1 in each state; see ``WorkerStateName/scenario()``.
///
/// Reports are about `a`, which the worker has first; `b` is held behind it. A row says: state and
/// event; what a report is taken for; the state that follows; all effects.
enum WorkerLifeTable {
  static let text = """
    starting addDependency | -; starting
    starting addDependencyFailed | -; starting
    starting enqueue | -; starting
    starting release | -; starting
    starting cancel | -; starting; settle a cancelled by request
    starting cancelAll | -; starting; settle a cancelled by request
    starting dispatch | -; starting
    starting ring | -; starting
    starting close | -; ending; retire 1
    starting killWorkers | -; ending; signal 1 with 9
    starting workerGreeted | accepted; given; announce 0; dispatch a to 1 as attempt 1
    starting workerStarted | violation; starting
    starting workerAnsweredSucceeded | violation; starting
    starting workerAnsweredFailed | violation; starting
    starting workerAnsweredCancelled | violation; starting
    starting workerReturned | violation; starting
    starting workerRemarked | violation; starting
    starting workerPaused | -; starting
    starting workerViolated | -; ending; signal 1 with 9
    starting workerHungUp | -; ending
    starting workerExited | -; gone; spawn 2 of 0

    idle addDependency | -; idle
    idle addDependencyFailed | -; idle
    idle enqueue | -; idle
    idle release | -; idle
    idle cancel | -; idle
    idle cancelAll | -; idle
    idle dispatch | -; idle
    idle ring | -; idle
    idle close | -; ending; retire 1
    idle killWorkers | -; ending; signal 1 with 9
    idle workerGreeted | violation; idle
    idle workerStarted | stale; idle
    idle workerAnsweredSucceeded | stale; idle
    idle workerAnsweredFailed | stale; idle
    idle workerAnsweredCancelled | stale; idle
    idle workerReturned | stale; idle
    idle workerRemarked | stale; idle
    idle workerPaused | -; idle
    idle workerViolated | -; ending; signal 1 with 9
    idle workerHungUp | -; ending
    idle workerExited | -; gone

    given addDependency | -; given
    given addDependencyFailed | -; given
    given enqueue | -; given
    given release | -; given
    given cancel | -; onLadder; ask 1 to stop a
    given cancelAll | -; onLadder; ask 1 to stop a
    given dispatch | -; given
    given ring | -; given
    given close | -; given
    given killWorkers | -; ending; signal 1 with 9
    given workerGreeted | violation; given
    given workerStarted | accepted; executing; a executes on 1 as attempt 1
    given workerAnsweredSucceeded | violation; given
    given workerAnsweredFailed | violation; given
    given workerAnsweredCancelled | accepted; idle; settle a cancelled by request
    given workerReturned | accepted; given; dispatch a to 1 as attempt 1
    given workerRemarked | accepted; given; relay a
    given workerPaused | -; given
    given workerViolated | -; ending; signal 1 with 9
    given workerHungUp | -; ending
    given workerExited | -; gone; spawn 2 of 0

    executing addDependency | -; executing
    executing addDependencyFailed | -; executing
    executing enqueue | -; executing
    executing release | -; executing
    executing cancel | -; onLadder; ask 1 to stop a
    executing cancelAll | -; onLadder; ask 1 to stop a
    executing dispatch | -; executing
    executing ring | -; onLadder; ask 1 to stop a
    executing close | -; executing
    executing killWorkers | -; ending; signal 1 with 9
    executing workerGreeted | violation; executing
    executing workerStarted | accepted; executing
    executing workerAnsweredSucceeded | accepted; idle; \
      settle a succeeded by answer in attempt 1 on 1
    executing workerAnsweredFailed | accepted; idle; \
      settle a failed by answer in attempt 1 on 1
    executing workerAnsweredCancelled | accepted; idle; \
      settle a cancelled by request in attempt 1 on 1
    executing workerReturned | violation; executing
    executing workerRemarked | accepted; executing; relay a
    executing workerPaused | -; executing
    executing workerViolated | -; ending; signal 1 with 9
    executing workerHungUp | -; ending
    executing workerExited | -; gone; settle a lost by workerDied in attempt 1 on 1

    holding addDependency | -; holding
    holding addDependencyFailed | -; holding
    holding enqueue | -; holding
    holding release | -; holding
    holding cancel | -; onLadder; recall b from 1; ask 1 to stop a
    holding cancelAll | -; onLadder; recall b from 1; ask 1 to stop a; ask 1 to stop b
    holding dispatch | -; holding
    holding ring | -; onLadder; recall b from 1; ask 1 to stop a
    holding close | -; holding
    holding killWorkers | -; ending; signal 1 with 9
    holding workerGreeted | violation; holding
    holding workerStarted | accepted; holding
    holding workerAnsweredSucceeded | accepted; given; \
      settle a succeeded by answer in attempt 1 on 1
    holding workerAnsweredFailed | accepted; given; settle a failed by answer in attempt 1 on 1
    holding workerAnsweredCancelled | accepted; given; \
      settle a cancelled by request in attempt 1 on 1
    holding workerReturned | violation; holding
    holding workerRemarked | accepted; holding; relay a
    holding workerPaused | -; holding
    holding workerViolated | -; ending; signal 1 with 9
    holding workerHungUp | -; ending
    holding workerExited | -; gone; settle a lost by workerDied in attempt 1 on 1; spawn 2 of 0

    onLadder addDependency | -; onLadder
    onLadder addDependencyFailed | -; onLadder
    onLadder enqueue | -; onLadder
    onLadder release | -; onLadder
    onLadder cancel | -; onLadder
    onLadder cancelAll | -; onLadder; ask 1 to stop b
    onLadder dispatch | -; onLadder
    onLadder ring | -; onLadder
    onLadder close | -; onLadder
    onLadder killWorkers | -; ending; signal 1 with 9
    onLadder workerGreeted | violation; onLadder
    onLadder workerStarted | accepted; onLadder
    onLadder workerAnsweredSucceeded | accepted; given; \
      settle a succeeded by answer in attempt 1 on 1
    onLadder workerAnsweredFailed | accepted; given; \
      settle a failed by answer in attempt 1 on 1
    onLadder workerAnsweredCancelled | accepted; given; \
      settle a cancelled by request in attempt 1 on 1
    onLadder workerReturned | violation; onLadder
    onLadder workerRemarked | accepted; onLadder; relay a
    onLadder workerPaused | -; onLadder
    onLadder workerViolated | -; ending; signal 1 with 9
    onLadder workerHungUp | -; ending
    onLadder workerExited | -; gone; settle a cancelled by request in attempt 1 on 1; \
      spawn 2 of 0

    ending addDependency | -; ending
    ending addDependencyFailed | -; ending
    ending enqueue | -; ending
    ending release | -; ending
    ending cancel | -; ending
    ending cancelAll | -; ending; ask 1 to stop b
    ending dispatch | -; ending
    ending ring | -; ending
    ending close | -; ending
    ending killWorkers | -; ending; signal 1 with 9
    ending workerGreeted | stale; ending
    ending workerStarted | accepted; ending
    ending workerAnsweredSucceeded | accepted; ending; \
      settle a succeeded by answer in attempt 1 on 1
    ending workerAnsweredFailed | accepted; ending; settle a failed by answer in attempt 1 on 1
    ending workerAnsweredCancelled | accepted; ending; \
      settle a cancelled by request in attempt 1 on 1
    ending workerReturned | violation; ending
    ending workerRemarked | accepted; ending; relay a
    ending workerPaused | -; ending
    ending workerViolated | -; ending; signal 1 with 9
    ending workerHungUp | -; ending
    ending workerExited | -; gone; settle a lost by workerDied in attempt 1 on 1; spawn 2 of 0

    gone addDependency | -; gone
    gone addDependencyFailed | -; gone
    gone enqueue | -; gone
    gone release | -; gone
    gone cancel | -; gone
    gone cancelAll | -; gone; settle b cancelled by request
    gone dispatch | -; gone
    gone ring | -; gone
    gone close | -; gone; retire 2
    gone killWorkers | -; gone; signal 2 with 9
    gone workerGreeted | stale; gone
    gone workerStarted | stale; gone
    gone workerAnsweredSucceeded | stale; gone
    gone workerAnsweredFailed | stale; gone
    gone workerAnsweredCancelled | stale; gone
    gone workerReturned | stale; gone
    gone workerRemarked | stale; gone
    gone workerPaused | -; gone
    gone workerViolated | -; gone
    gone workerHungUp | -; gone
    gone workerExited | -; gone
    """
}
