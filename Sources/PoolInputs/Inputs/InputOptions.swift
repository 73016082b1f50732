/// Options of `opool map` alone: the sources of its inputs, and how these are cut.
package struct InputOptions: Hashable, Sendable {
  /// The sources, whose combinations are executed; empty for the standard input.
  package var sources: [InputSource] = []
  /// The byte that ends an input of a file or of the standard input.
  package var delimiter = UInt8(ascii: "\n")
  /// The text that stands for the input in a command; nil for the placeholders in braces.
  package var replacement: [UInt8]?
  /// How many inputs, or combinations of inputs, one execution takes.
  package var batch = BatchRule()
  /// How an input is cut into columns; nil if it is one field.
  package var columns: ColumnSplitter?
  /// Whether the first input of each source is the names of its columns.
  package var hasHeader = false
  /// The share of the inputs that is taken; nil for all.
  package var shard: InputShard?
  /// Whether inputs are put in also where a program could read them as commands.
  package var isUnchecked = false
  /// The options for batches, as they were given.
  package var batchValues = BatchOptionValues()

  package init() {}

  /// The sources in order: the standard input if no source is named.
  package var effectiveSources: [InputSource] {
    sources.isEmpty ? [InputSource(.standardInput)] : sources
  }

  /// Whether all inputs are arguments, and few enough to be combined before the run.
  package var isAllKnown: Bool {
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

  /// The message if there is no input; nil if the user has named a source.
  package var absence: String? {
    sources.isEmpty && shard == nil
      ? "the standard input is empty; inputs can stand behind ::: as well" : nil
  }

  /// What is known of the fields of all executions.
  package func layout(names: ColumnNames) -> FieldLayout {
    if batch.isCountOnly { return layout(lacking: .countOnly) }
    var layout = FieldLayout(count: columns == nil ? batch.count.map { $0 * sourceCount } : nil)
    layout.repeatsWords = batch.repeatsWords
    layout.hasPositions = !batch.fills
    layout.names = names
    layout.replacement = replacement
    return layout
  }

  /// The layout of executions without fields.
  package func layout(lacking lack: FieldLayout.MissingInputs) -> FieldLayout {
    var layout = FieldLayout(lacking: lack)
    layout.replacement = replacement
    return layout
  }

  private var sourceCount: Int { effectiveSources.count }

  /// Returns the options; throws if the sources make no sense together.
  package func checked() throws(UsageError) -> Self {
    if effectiveSources.count(where: { $0.place == .standardInput }) > 1 {
      throw UsageError("the standard input can be only one of the sources", topic: .map)
    }
    if effectiveSources[0].isLinked {
      throw UsageError("the first source has none before it to be linked to", topic: .map)
    }
    var checked = self
    checked.batch = try batchValues.rule()
    if checked.batch.joinsLines, sourceCount > 1 {
      throw UsageError("-L counts the lines of one source; write -n", topic: .map)
    }
    return checked
  }
}
