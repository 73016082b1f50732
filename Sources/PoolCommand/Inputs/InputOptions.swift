/// What only `opool map` is told: where its inputs come from, and how they are cut.
package struct InputOptions: Hashable, Sendable {
  /// The sources, of which all combinations are executed; empty for the standard input.
  package var sources: [InputSource] = []
  /// The byte that ends an input of a file or of the standard input.
  package var delimiter = UInt8(ascii: "\n")
  /// Number of inputs, or combinations of inputs, that one execution takes.
  package var batchSize = 1

  package init() {}

  /// The sources in their order: the standard input if none is named.
  var effectiveSources: [InputSource] {
    sources.isEmpty ? [InputSource(.standardInput)] : sources
  }

  /// Whether all inputs are arguments, and few enough to be combined before the run.
  var isAllKnown: Bool {
    var count = 1
    for source in effectiveSources {
      guard case .arguments(let arguments) = source.place else { return false }
      count *= source.isLinked ? 1 : max(arguments.count, 1)
      if count > Self.knownLimit { return false }
    }
    return true
  }

  /// Number of combinations that are kept before the run at most.
  private static let knownLimit = 1_000_000

  /// Whether the standard input is one of the sources.
  var readsStandardInput: Bool {
    effectiveSources.contains { $0.place == .standardInput }
  }

  /// Number of fields that an execution has, apart from the last one of a batch.
  var fieldCount: Int { effectiveSources.count * batchSize }

  /// Returns the options; throws if the sources make no sense together.
  func checked() throws(UsageError) -> Self {
    if effectiveSources.count(where: { $0.place == .standardInput }) > 1 {
      throw UsageError("the standard input can be only one of the sources", topic: .map)
    }
    if effectiveSources[0].isLinked {
      throw UsageError("the first source has none before it to be linked to", topic: .map)
    }
    return self
  }
}
