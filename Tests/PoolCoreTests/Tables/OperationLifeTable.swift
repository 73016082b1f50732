/// What each event does to an operation `a` in each state; see ``OperationStateName/scenario()``.
///
/// `d` waits for `a`, `a` waits for `z` where it waits, and `x` has failed before. A row says: state
/// and event; what a report is taken for; the state that follows; all effects.
enum OperationLifeTable {
  static let text = """
    free addDependency | -; free
    free addDependencyFailed | -; free
    free enqueue | -; free
    free release | -; free
    free cancel | -; free
    free cancelAll | -; free
    free dispatch | -; free
    free ring | -; free
    free close | -; free; retire 1
    free killWorkers | -; free; signal 1 with 9
    free workerGreeted | violation; free
    free workerStarted | violation; free
    free workerAnsweredSucceeded | violation; free
    free workerAnsweredFailed | violation; free
    free workerAnsweredCancelled | violation; free
    free workerReturned | violation; free
    free workerRemarked | violation; free
    free workerPaused | -; free
    free workerViolated | -; free; signal 1 with 9
    free workerHungUp | -; free
    free workerExited | -; free

    created addDependency | -; created
    created addDependencyFailed | -; doomed
    created enqueue | -; ready
    created release | -; free; settle d skipped by dependency of a
    created cancel | -; created
    created cancelAll | -; created; settle d cancelled by request
    created dispatch | -; created
    created ring | -; created
    created close | -; created; retire 1
    created killWorkers | -; created; signal 1 with 9
    created workerGreeted | violation; created
    created workerStarted | violation; created
    created workerAnsweredSucceeded | violation; created
    created workerAnsweredFailed | violation; created
    created workerAnsweredCancelled | violation; created
    created workerReturned | violation; created
    created workerRemarked | violation; created
    created workerPaused | -; created
    created workerViolated | -; created; signal 1 with 9
    created workerHungUp | -; created
    created workerExited | -; created

    doomed addDependency | -; doomed
    doomed addDependencyFailed | -; doomed
    doomed enqueue | -; settled; settle a skipped by dependency of x; \
      settle d skipped by dependency of x
    doomed release | -; free; settle d skipped by dependency of a
    doomed cancel | -; doomed
    doomed cancelAll | -; doomed; settle d cancelled by request
    doomed dispatch | -; doomed
    doomed ring | -; doomed
    doomed close | -; doomed; retire 1
    doomed killWorkers | -; doomed; signal 1 with 9
    doomed workerGreeted | violation; doomed
    doomed workerStarted | violation; doomed
    doomed workerAnsweredSucceeded | violation; doomed
    doomed workerAnsweredFailed | violation; doomed
    doomed workerAnsweredCancelled | violation; doomed
    doomed workerReturned | violation; doomed
    doomed workerRemarked | violation; doomed
    doomed workerPaused | -; doomed
    doomed workerViolated | -; doomed; signal 1 with 9
    doomed workerHungUp | -; doomed
    doomed workerExited | -; doomed

    waiting addDependency | -; waiting
    waiting addDependencyFailed | -; settled; settle a skipped by dependency of x; \
      settle d skipped by dependency of x
    waiting enqueue | -; waiting
    waiting release | -; waiting
    waiting cancel | -; settled; settle a cancelled by request; \
      settle d skipped by dependency of a
    waiting cancelAll | -; settled; settle d cancelled by request; \
      settle a cancelled by request
    waiting dispatch | -; waiting
    waiting ring | -; waiting
    waiting close | -; waiting; retire 1
    waiting killWorkers | -; waiting; signal 1 with 9
    waiting workerGreeted | violation; waiting
    waiting workerStarted | violation; waiting
    waiting workerAnsweredSucceeded | violation; waiting
    waiting workerAnsweredFailed | violation; waiting
    waiting workerAnsweredCancelled | violation; waiting
    waiting workerReturned | violation; waiting
    waiting workerRemarked | violation; waiting
    waiting workerPaused | -; waiting
    waiting workerViolated | -; waiting; signal 1 with 9
    waiting workerHungUp | -; waiting
    waiting workerExited | -; waiting

    ready addDependency | -; waiting
    ready addDependencyFailed | -; settled; settle a skipped by dependency of x; \
      settle d skipped by dependency of x
    ready enqueue | -; ready
    ready release | -; ready
    ready cancel | -; settled; settle a cancelled by request; \
      settle d skipped by dependency of a
    ready cancelAll | -; settled; settle d cancelled by request; settle a cancelled by request
    ready dispatch | -; held; dispatch a to 1 as attempt 1
    ready ring | -; ready
    ready close | -; ready; retire 1
    ready killWorkers | -; ready; signal 1 with 9
    ready workerGreeted | violation; ready
    ready workerStarted | violation; ready
    ready workerAnsweredSucceeded | violation; ready
    ready workerAnsweredFailed | violation; ready
    ready workerAnsweredCancelled | violation; ready
    ready workerReturned | violation; ready
    ready workerRemarked | violation; ready
    ready workerPaused | -; ready
    ready workerViolated | -; ready; signal 1 with 9
    ready workerHungUp | -; ready
    ready workerExited | -; ready; spawn 2 of 0

    held addDependency | -; held
    held addDependencyFailed | -; held
    held enqueue | -; held
    held release | -; held
    held cancel | -; held; ask 1 to stop a
    held cancelAll | -; held; settle d cancelled by request; ask 1 to stop a
    held dispatch | -; held
    held ring | -; held
    held close | -; held
    held killWorkers | -; held; signal 1 with 9
    held workerGreeted | violation; held
    held workerStarted | accepted; executing; a executes on 1 as attempt 1
    held workerAnsweredSucceeded | violation; held
    held workerAnsweredFailed | violation; held
    held workerAnsweredCancelled | accepted; settled; settle a cancelled by request; \
      settle d skipped by dependency of a
    held workerReturned | accepted; ready
    held workerRemarked | accepted; held; relay a
    held workerPaused | -; held
    held workerViolated | -; held; signal 1 with 9
    held workerHungUp | -; held
    held workerExited | -; ready; spawn 2 of 0

    executing addDependency | -; executing
    executing addDependencyFailed | -; executing
    executing enqueue | -; executing
    executing release | -; executing
    executing cancel | -; executing; ask 1 to stop a
    executing cancelAll | -; executing; settle d cancelled by request; ask 1 to stop a
    executing dispatch | -; executing
    executing ring | -; executing; ask 1 to stop a
    executing close | -; executing
    executing killWorkers | -; executing; signal 1 with 9
    executing workerGreeted | violation; executing
    executing workerStarted | accepted; executing
    executing workerAnsweredSucceeded | accepted; settled; \
      settle a succeeded by answer in attempt 1 on 1
    executing workerAnsweredFailed | accepted; ready; \
      retry a failed by answer in attempt 1 on 1
    executing workerAnsweredCancelled | accepted; settled; \
      settle a cancelled by request in attempt 1 on 1; settle d skipped by dependency of a
    executing workerReturned | violation; executing
    executing workerRemarked | accepted; executing; relay a
    executing workerPaused | -; executing
    executing workerViolated | -; executing; signal 1 with 9
    executing workerHungUp | -; executing
    executing workerExited | -; ready; retry a lost by workerDied in attempt 1 on 1; \
      spawn 2 of 0

    forgotten addDependency | -; forgotten
    forgotten addDependencyFailed | -; forgotten
    forgotten enqueue | -; forgotten
    forgotten release | -; forgotten
    forgotten cancel | -; forgotten
    forgotten cancelAll | -; forgotten
    forgotten dispatch | -; forgotten
    forgotten ring | -; forgotten
    forgotten close | -; forgotten; retire 1
    forgotten killWorkers | -; forgotten; signal 1 with 9
    forgotten workerGreeted | violation; forgotten
    forgotten workerStarted | violation; forgotten
    forgotten workerAnsweredSucceeded | violation; forgotten
    forgotten workerAnsweredFailed | violation; forgotten
    forgotten workerAnsweredCancelled | violation; forgotten
    forgotten workerReturned | violation; forgotten
    forgotten workerRemarked | violation; forgotten
    forgotten workerPaused | -; forgotten
    forgotten workerViolated | -; forgotten; signal 1 with 9
    forgotten workerHungUp | -; forgotten
    forgotten workerExited | -; forgotten

    settled addDependency | -; settled
    settled addDependencyFailed | -; settled
    settled enqueue | -; settled
    settled release | -; free
    settled cancel | -; settled
    settled cancelAll | -; settled; ask 1 to stop d
    settled dispatch | -; settled
    settled ring | -; settled
    settled close | -; settled
    settled killWorkers | -; settled; signal 1 with 9
    settled workerGreeted | violation; settled
    settled workerStarted | stale; settled
    settled workerAnsweredSucceeded | stale; settled
    settled workerAnsweredFailed | stale; settled
    settled workerAnsweredCancelled | stale; settled
    settled workerReturned | stale; settled
    settled workerRemarked | stale; settled
    settled workerPaused | -; settled
    settled workerViolated | -; settled; signal 1 with 9
    settled workerHungUp | -; settled
    settled workerExited | -; settled; spawn 2 of 0
    """
}
