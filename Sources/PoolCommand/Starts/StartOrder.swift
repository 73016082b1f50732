import PoolCore
import PoolSystem

extension SharedOptions {
  /// Examines the descriptors and variables that this process inherited; call it before any file is
  /// opened.
  mutating func inspectInheritance(_ topic: HelpTopic) throws(UsageError) {
    for number in starts.passed where !Descriptors.isOpen(number) {
      throw UsageError(
        "--pass-fd \(number): the descriptor is not open",
        hint: "open it in the shell, as in 'opool … \(number)<FILE'",
        topic: topic
      )
    }
    starts.jobserver = Jobserver.find()
  }

  /// Finds out what is known before any input is read, and begins the preparation, in which the
  /// deadline counts: the seed, the shell, and the number of `-j` that can be read only once.
  mutating func begin(with step: RunPreparation.Step) throws(WorkloadRun.RunFailure)
    -> RunPreparation
  {
    let preparation = RunPreparation(step, deadline: deadline)
    chooseSeed()
    try demandShell()
    try readWidthOnce(in: preparation, before: step)
    return preparation
  }

  /// Chooses a seed for a random order without a given one.
  mutating func chooseSeed() {
    if starts.shuffles, seed == nil { seed = UInt64.random(in: 0...UInt64(Int32.max)) }
  }
}

/// A random order of operations: `--shuf`.
///
/// An operation's place follows from the seed and its number alone, so that a dry run, and a run
/// with the same seed, have the same order.
struct StartOrder: Sendable {
  let seed: UInt64

  /// Nil if the order is not random.
  init?(_ options: SharedOptions) {
    guard options.starts.shuffles else { return nil }
    seed = options.seed ?? 0
  }

  /// Ranks within a priority; the highest comes first.
  func ranks(of operations: Range<Int>) -> [Int64] {
    operations.map { Int64(Chance.bits(seed, UInt64($0)) >> 2) }
  }
}
