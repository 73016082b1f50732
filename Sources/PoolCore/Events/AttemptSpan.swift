import PoolModel

/// When an attempt began and ended, for one whose worker has measured how long it took.
///
/// Messages come late: of a coordinator that was stopped, or of many short operations, a start and
/// an answer may be read at once. So where others wait behind it, which may have been executed by
/// now, an attempt has the earliest times: those of one worker overlap by no more than the time for
/// which a turn of the loop reads. The last of a worker begins when that was heard of. Neither
/// begins before it was dispatched, or ends in the future; what does not fit, because a worker
/// lies, is cut.
struct AttemptSpan: Hashable {
  let started: Instant
  let finished: Instant

  /// The span of an attempt that took so many nanoseconds, and ended before `now`.
  ///
  /// Its worker was not ready for it before `earliest`; `told` is when its start was heard of, nil
  /// if others wait behind it.
  init(
    of elapsed: Int64,
    from earliest: Instant,
    dispatched: Instant,
    told: Instant?,
    until now: Instant
  ) {
    let latest = now.advanced(by: -max(elapsed, 0))
    let start = min(max(told ?? earliest, earliest), latest)
    started = min(max(start, dispatched), now)
    finished = max(min(started.advanced(by: elapsed), now), started)
  }

  /// Nanoseconds.
  var duration: Int64 { finished.nanoseconds - started.nanoseconds }
}
