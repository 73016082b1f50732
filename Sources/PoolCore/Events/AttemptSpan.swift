import PoolModel

/// When an attempt began and ended, for one whose worker has measured how long it took.
///
/// Messages come late: of a coordinator that was stopped, or of many short operations, a start and an
/// answer may be read at once. So these are the earliest times that agree with what is known: its
/// worker did not begin before it had the operation, nor before it had ended the one before. What an
/// honest worker says fits then, so the attempts of one worker do not overlap, and none ends in the
/// future. What does not fit is cut.
struct AttemptSpan: Hashable {
  let started: Instant
  let finished: Instant

  /// The span of an attempt that took so many nanoseconds, was ready at `ready`, and ended before `now`.
  init(of elapsed: Int64, from earliest: Instant, ready: Instant, until now: Instant) {
    started = min(max(earliest, ready), now)
    finished = max(min(started.advanced(by: elapsed), now), started)
  }

  /// Nanoseconds.
  var duration: Int64 { finished.nanoseconds - started.nanoseconds }
}
