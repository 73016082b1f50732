import PoolModel
import PoolText

/// When a run ends because its job of Slurm does: first nothing more begins, then what still
/// executes is torn down, before Slurm kills it.
struct AllocationEnd {
  /// What is to be done, and the nanoseconds after which to ask again.
  enum Step: Hashable {
    case wait(Int64)
    /// Nothing more begins; what executes may go on for so long.
    case drain(Int64)
    case end
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
  private var isDraining = false

  init(margin: Int64) { self.margin = margin }

  /// What follows where the job has so much time left; nil where that is not known, or unlimited.
  mutating func step(left: Int64?) -> Step {
    guard let left else { return isDraining ? .end : .wait(Self.retryTime) }
    if isDraining || left <= min(margin, Self.teardownTime) { return .end }
    guard left <= margin else { return .wait(min(left - margin, Self.longestWait)) }
    isDraining = true
    return .drain(left - Self.teardownTime)
  }

  /// The nanoseconds that `squeue` says with `%L`, such as `1-02:03:04` or `5:00`; nil for
  /// `UNLIMITED`, and what else is no time.
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
