package import PoolModel

/// The settings of a pool that decisions depend on; durations are in nanoseconds.
///
/// The page *Supervision* of OperationPool's documentation lists them all; a test compares the two.
package struct PoolPolicy: Hashable, Sendable {
  /// Which failures are retried, and when, of operations that have no rule of their own.
  package var retryRule = RetryRule.atOnce
  /// How an executing operation is made to end.
  package var teardown = PoolTeardownSequence.standard
  /// How long a worker that takes the steps of a teardown sequence itself may still take to answer
  /// after the last grace.
  package var teardownMargin = Int64.seconds(2)
  /// How long a worker that was told to kill its operation at once may take to answer.
  package var killMargin = Int64.milliseconds(500)
  /// How long after an operation has begun its worker may take to report the command's group.
  package var groupMargin = Int64.milliseconds(20)
  /// The timeout of operations that have none of their own; nil for none.
  package var relativeTimeout: RelativeTimeout?
  /// How long a worker of a program of this package, or of the running one, may take to greet.
  package var greetingTimeout = Int64.seconds(10)
  /// How long a worker of another program may take to greet: it may load a model, or wait for a
  /// queue.
  package var foreignGreetingTimeout = Int64.seconds(60)
  /// How long a worker may take to begin what it was given.
  package var startTimeout = Int64.seconds(30)
  /// How long a worker may take to end after its last message.
  package var endTimeout = Int64.seconds(2)
  /// How long a worker may take to print where it crashes, if its operation's timeout is shorter.
  package var crashTimeout = Int64.seconds(30)
  /// How long an executing worker may be silent before it is sent a ping.
  package var heartbeatInterval = Int64.seconds(10)
  /// How long it may be silent after the ping.
  package var heartbeatLimit = Int64.seconds(30)
  /// How long a worker that has begun a frame may take for the next ``frameProgress`` bytes of it,
  /// or its rest.
  package var frameTimeout = Int64.seconds(10)
  /// This many bytes of an unfinished frame start ``frameTimeout`` again, so that the longest frame
  /// ends, too.
  package var frameProgress = 4_096
  /// If the coordinator wakes later than this after a deadline, it assumes that it was paused, and
  /// the time does not count against workers.
  package var latenessLimit = Int64.seconds(1)
  /// How long a worker that may be starting a command has to report its group when a run stops.
  package var stopMargin = Int64.milliseconds(250)
  /// How many workers of one configuration may die in a row without having finished an operation
  /// before no more are started, however long that takes; see `RestartBudget`.
  package var restartLimit = 5
  /// The same if no worker of the configuration has ever greeted.
  package var firstStartLimit = 2
  /// Whether a configuration that was given up is tried again for what is added later.
  package var triesAgain = false
  /// The wait before the second such restart in a row; the first one is made at once.
  package var restartDelay = Int64.milliseconds(100)
  /// By how much each wait is longer than the one before.
  package var restartGrowth = 2.0
  /// The longest wait.
  package var restartDelayLimit = Int64.seconds(10)
  /// How long a shortage may last, while nothing executes or is answered, before no more workers
  /// are started.
  package var shortageLimit = Int64.seconds(60)
  /// The longest wait before the pool tries again after a shortage.
  package var shortageDelayLimit = Int64.seconds(1)
  /// An operation that has been a worker's first for longer than this has begun, even if the worker
  /// reports a shortage.
  package var shortageMargin = Int64.seconds(5)
  /// How many workers may die while they execute one operation before it is quarantined, whatever
  /// retries it has left.
  package var quarantineLimit = 3

  package init() {}

  /// The waits between restarts of workers that finish nothing.
  var restartBackOff: BackOff {
    BackOff(delay: restartDelay, growth: restartGrowth, maximum: restartDelayLimit)
  }

  /// The waits before the pool tries again after a shortage.
  var shortageBackOff: BackOff {
    let maximum = min(shortageDelayLimit, restartDelayLimit)
    return BackOff(delay: restartDelay, growth: restartGrowth, maximum: maximum)
  }
}
