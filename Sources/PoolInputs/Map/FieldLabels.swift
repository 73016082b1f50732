/// What the fields of an input are called in the path of its results, as GNU parallel has it.
package struct FieldLabels: Sendable {
  /// Number of fields that belong together; a batch has them several times.
  private let recordLength: Int
  /// The names of columns, by their positions.
  private let names: [[UInt8]]
  /// The positions in the order of their names, which is that of the path.
  private let order: [Int]

  /// Records of this number of fields, labelled by names or, without names, by numbers from 1.
  package init(recordLength: Int = 1, names: [[UInt8]] = []) {
    self.recordLength = recordLength
    self.names = names
    order = names.indices.sorted {
      names[$0] == names[$1] ? $0 < $1 : names[$0].lexicographicallyPrecedes(names[$1])
    }
  }

  /// The labels of a map, whose sources may have named columns.
  package init(of inputs: InputOptions, named names: ColumnNames) {
    self.init(recordLength: Self.recordLength(of: inputs, named: names), names: names.list)
  }

  /// Columns form records of a known length only where a header says it; an execution that takes
  /// one record may have more of them.
  private static func recordLength(of inputs: InputOptions, named names: ColumnNames) -> Int {
    guard inputs.columns != nil else { return inputs.effectiveSources.count }
    return names.list.isEmpty || inputs.batch.count == 1 ? .max : names.list.count
  }

  /// The label and the text of each field, one after the other.
  package func path(of fields: [[UInt8]]) -> [[UInt8]] {
    stride(from: 0, to: fields.count, by: recordLength).flatMap { start in
      // A record may lack columns, or have more than there are names.
      let count = min(recordLength, fields.count - start)
      let places = order.filter { $0 < count } + (0..<count).dropFirst(names.count)
      return places.flatMap { [label(of: $0), fields[start + $0]] }
    }
  }

  private func label(of place: Int) -> [UInt8] {
    place < names.count ? names[place] : Array(String(place + 1).utf8)
  }
}
