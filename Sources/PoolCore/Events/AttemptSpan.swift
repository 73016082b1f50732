import PoolModel

/// When an attempt began and ended, for one whose worker has measured how long it took.
///
/// Messages come late: of a coordinator that was stopped, or of many short operations, a start and an
/// answer may be read at once. An attempt began before its start was heard of, and so long before its
/// answer was heard of; and not before its worker had the operation, and had ended the one before. Where
/// others wait behind it, which may have been executed by now, these are the earliest times: then the
/// attempts of one worker do not overlap, and none ends in the future. What does not fit, because a
/// worker lies, is cut.
struct AttemptSpan: Hashable {
  let started: Instant
  let finished: Instant

  /// The span of an attempt that took so many nanoseconds, was ready at `ready`, and ended before `now`;
  /// `told` is when its start was heard of, nil for the earliest times.
  init(
    of elapsed: Int64,
    from earliest: Instant,
    told: Instant?,
    ready: Instant,
    until now: Instant
  ) {
    let latest = told.map { min($0, now.advanced(by: -max(elapsed, 0))) } ?? earliest
    started = min(max(latest, earliest, ready), now)
    finished = max(min(started.advanced(by: elapsed), now), started)
  }

  /// Nanoseconds.
  var duration: Int64 { finished.nanoseconds - started.nanoseconds }
}
