/// The names of columns, which are placeholders in braces.
package struct ColumnNames: Hashable, Sendable {
  /// What a name stands for.
  private enum Meaning: Hashable {
    /// The field at this position, from 1.
    case field(Int)
    /// More than one column has it.
    case several
  }

  private var meanings: [[UInt8]: Meaning] = [:]
  /// Number of columns of each source.
  package let counts: [Int]
  /// The names by their positions, those without one included.
  package let list: [[UInt8]]
  /// Number of bytes of the longest name.
  package private(set) var longest = 0

  /// No names.
  package init() { (counts, list) = ([], []) }

  /// Takes the headers of all sources; throws if a name is a placeholder already.
  init(headers: [[[UInt8]]]) throws(UsageError) {
    counts = headers.map(\.count)
    list = Array(headers.joined())
    for (index, name) in list.enumerated() where !name.isEmpty {
      let braces = [UInt8(ascii: "{")] + name + [UInt8(ascii: "}")]
      if PlaceholderParser().parse(braces[...]) != nil {
        throw UsageError(
          "a column has the name of a placeholder",
          argument: braces,
          hint: "give the column another name, or leave --header out",
          topic: .map
        )
      }
      meanings[name] = meanings[name] == nil ? .field(index + 1) : .several
      longest = max(longest, name.count)
    }
  }

  /// The position of the field with a name; nil if no column has it.
  package func position(of name: some Collection<UInt8>) throws(AmbiguousName) -> Int? {
    switch meanings[Array(name)] {
    case .field(let position): return position
    case .several: throw AmbiguousName()
    case nil: return nil
    }
  }

  /// More than one column has a name.
  package struct AmbiguousName: Error {}
}
