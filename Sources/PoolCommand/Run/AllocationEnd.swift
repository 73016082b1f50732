import PoolModel
import PoolText

/// When a run ends because its job of Slurm does: first nothing more begins, then what still
/// executes is torn down, before Slurm kills it.
struct AllocationEnd {
  /// What is to be done, and the nanoseconds after which to ask again.
  enum Step: Hashable {
    case wait(Int64, isKnown: Bool)
    /// Nothing more begins; what executes may go on for so long.
    case drain(Int64)
    case end
    /// The job has only so much time in all, so that nothing could begin, however often it is
    /// queued again.
    case refuse(Int64)
  }

  /// The times of a job, in nanoseconds.
  struct Times: Hashable {
    /// Until its end; nil if it has none.
    var left: Int64?
    /// From its start to its end; nil if that is not told.
    var limit: Int64?
  }

  /// How long before the end of the job what executes is torn down: 30 s, which a usual teardown
  /// and the journal need by far.
  static let teardownTime = Int64.seconds(30)
  /// The time left may change: it is asked for at least so often, every 10 min.
  private static let longestWait = Int64.seconds(600)
  /// After this time it is asked for again where it was not told: 1 min.
  private static let retryTime = Int64.seconds(60)

  /// Nanoseconds before the end of the job from which on nothing begins.
  let margin: Int64
  /// Whether nothing begins any more.
  private var isDraining = false
  /// When the job ends, as was told last, by the clock of ``step(_:at:)``.
  private var end: Int64?

  init(margin: Int64) { self.margin = margin }

  /// What follows where the job has these times now, by any clock of nanoseconds; nil where they
  /// are not told.
  mutating func step(_ times: Times?, at now: Int64) -> Step {
    if let times { end = times.left.map { now.saturatingSum($0) } }
    guard let end else {
      return .wait(times == nil ? Self.retryTime : Self.longestWait, isKnown: times != nil)
    }
    let left = end - now
    // What executes while nothing more begins has the time that the job is given later.
    let limit = isDraining ? Self.teardownTime : margin
    if left > limit { return .wait(min(left - limit, Self.longestWait), isKnown: true) }
    if !isDraining, let whole = times?.limit, whole <= margin { return .refuse(whole) }
    guard left > Self.teardownTime else { return .end }
    isDraining = true
    return .drain(left - Self.teardownTime)
  }
}

extension AllocationEnd.Times {
  /// Reads the lines that `squeue -o '%A %L %l'` prints; nil if none is of the job, with a time.
  init?(squeue text: String, job: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count >= 2, words[0] == job else { continue }
      let left = Self.time(words[1])
      guard left != nil || words[1] == "UNLIMITED" else { continue }
      self.init(left: left, limit: words.count > 2 ? Self.time(words[2]) : nil)
      return
    }
    return nil
  }

  /// The nanoseconds of a time such as `1-02:03:04` or `5:00`; nil for `UNLIMITED`, and what else
  /// is no time.
  static func time(_ text: some StringProtocol) -> Int64? {
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count <= 2, let clock = halves.last else { return nil }
    let numbers = clock.split(separator: ":", omittingEmptySubsequences: false).map { word in
      DecimalParser.integer(Array(word.utf8)[...])
    }
    guard (1...3).contains(numbers.count), numbers.allSatisfy({ $0 != nil }) else { return nil }
    let seconds = numbers.reduce(0) { $0 * 60 + min($1 ?? 0, 1 << 30) }
    guard halves.count == 2 else { return .seconds(Double(seconds)) }
    guard numbers.count == 3, let days = DecimalParser.integer(Array(halves[0].utf8)[...]) else {
      return nil
    }
    return .seconds(Double(seconds + min(days, 100_000) * 86_400))
  }
}
