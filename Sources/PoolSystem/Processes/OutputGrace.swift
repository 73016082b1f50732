import PoolModel

/// How long the outputs of a command are read after its end, if processes that it has left behind
/// still have them open.
///
/// They are read until nothing has come for the grace while none of these processes is busy, at
/// most ten times as long.
package struct OutputGrace {
  /// The grace if the user names none: 100 ms.
  package static let usual = Int64.milliseconds(100)
  /// The longest grace: an hour.
  package static let longest = Int64.seconds(3_600)

  /// When it ends in any case.
  private let end: Int64
  private let grace: Int64
  private var quietSince: Int64

  /// Begins at the end of a command.
  package init(_ grace: Int64, at now: Int64) {
    self.grace = min(max(grace, 0), Self.longest)
    end = now + self.grace * 10
    quietSince = now
  }

  /// Nanoseconds until the next look at the outputs; nil if it is over.
  ///
  /// `hasNew` says whether the last look has found output.
  package mutating func rest(at now: Int64, hasNew: Bool, isBusy: () -> Bool) -> Int64? {
    if hasNew { quietSince = now }
    guard now < end else { return nil }
    let quiet = quietSince + grace - now
    if quiet > 0 { return min(quiet, end - now) }
    return isBusy() ? min(max(grace / 10, .milliseconds(1)), end - now) : nil
  }
}

extension OutputGrace {
  /// Reads outputs until both have ended or the grace is over; `read` returns the number of bytes.
  ///
  /// `ends` are the pipes, or -1 for one that has ended. `isWanted` is asked every 20 ms.
  package static func spend(
    _ grace: Int64,
    on ends: () -> (output: Int32, error: Int32),
    isWanted: () -> Bool,
    isBusy: () -> Bool,
    read: () -> Int
  ) {
    var own: Self?
    while true {
      let count = read()
      let open = ends()
      guard open.output >= 0 || open.error >= 0, isWanted() else { return }
      let now = MonotonicClock.now
      var grace = own ?? Self(grace, at: now)
      guard let rest = grace.rest(at: now, hasNew: count > 0, isBusy: isBusy) else { return }
      own = grace
      if count == 0 { SystemIO.waitForOutput(open.output, open.error, min(rest, slice)) }
    }
  }

  private static let slice = Int64.milliseconds(20)
}
