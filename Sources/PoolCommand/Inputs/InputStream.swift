/// The fields of one execution after another, from all sources of a map.
///
/// Confined to one thread at a time.
final class InputStream {
  private let readers: [InputReader]
  private let batchSize: Int
  private var combination: InputCombination

  /// Opens the sources.
  init(_ options: InputOptions) throws(InputError) {
    var readers: [InputReader] = []
    for source in options.effectiveSources {
      readers.append(try InputReader(source, delimiter: options.delimiter))
    }
    self.readers = readers
    batchSize = options.batchSize
    combination = InputCombination(linked: options.effectiveSources.map(\.isLinked))
  }

  /// The files that it reads.
  var files: [InputFile] { readers.compactMap(\.file) }

  /// Returns the fields of the next execution; nil at the end.
  ///
  /// The closure is called before it waits for a source; it returns whether more is wanted.
  func next(beforeReading: () -> Bool = { true }) throws(InputError) -> [[UInt8]]? {
    var fields: [[UInt8]] = []
    for _ in 0..<batchSize {
      let row = try combination.next { source throws(InputError) in
        try readers[source].next(beforeReading: beforeReading)
      }
      guard let row else { break }
      fields += row
    }
    return fields.isEmpty ? nil : fields
  }

  /// Reads everything.
  func all() throws(InputError) -> MapInputs {
    var inputs = MapInputs()
    while let fields = try next() { inputs.append(fields) }
    return inputs
  }
}
