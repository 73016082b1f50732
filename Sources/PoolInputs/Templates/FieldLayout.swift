/// The layout of the inputs of all executions, as known before the first one.
package struct FieldLayout: Hashable, Sendable {
  /// Why commands have no inputs.
  package enum MissingInputs: Hashable, Sendable {
    /// They read a block from standard input.
    case blocks
    /// Inputs are only counted.
    case countOnly
  }

  /// Number of fields of an execution; nil if it may vary.
  package var count: Int?
  /// Whether a field can be named by its position.
  package var hasPositions = true
  /// Whether the word with an input is repeated for each further one.
  package var repeatsWords = false
  /// The names of columns.
  package var names = ColumnNames()
  /// The text that stands for the input, in place of all placeholders in braces, which are ordinary
  /// text then; nil for these.
  package var replacement: [UInt8]?
  /// Why there is no field; nil if there are some.
  package var lack: MissingInputs?

  /// Executions with this number of fields.
  package init(count: Int? = 1) {
    self.count = count
  }

  /// Executions without fields.
  package init(lacking lack: MissingInputs) {
    count = 0
    self.lack = lack
  }
}
