import PoolInputs
import PoolReports
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
    for lines in TargetLines.allCases {
      guard let number = targets[lines]?.descriptor, !Descriptors.isWritable(number) else {
        continue
      }
      throw UsageError(
        "\(lines.option) fd:\(number): the descriptor is not open for writing",
        hint: "open it in the shell, as in 'opool … \(number)>FILE'",
        topic: topic
      )
    }
    starts.jobserver = Jobserver.find()
  }

  /// Finds out what is known before any input is read, and begins the preparation, in which the
  /// deadline counts: the seed, the shell, the hosts of a file, and the number of `-j` that can be
  /// read only once.
  mutating func begin(with step: RunPreparation.Step) throws(RunFailure)
    -> RunPreparation
  {
    let preparation = RunPreparation(step, deadline: deadline)
    chooseSeed()
    try demandShell()
    try readHosts()
    try readWidthOnce(in: preparation, before: step)
    return preparation
  }

  /// Chooses a seed for a random order without a given one.
  mutating func chooseSeed() {
    if starts.shuffles, seed == nil { seed = UInt64.random(in: 0...UInt64(Int32.max)) }
  }
}
