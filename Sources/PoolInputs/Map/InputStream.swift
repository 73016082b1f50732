import PoolSystem
import PoolText

/// The fields of one execution after another, from all sources of a map.
///
/// Confined to one thread at a time.
package final class InputStream {
  /// The names of columns, from the headers of the sources.
  package let names: ColumnNames
  private let readers: [InputReader]
  private let columns: ColumnSplitter?
  private var combination: InputCombination
  private var joiner: LineJoiner?
  private var batcher: InputBatcher
  private let shard: InputShard?
  /// Number of inputs so far.
  private var place = 0
  /// The batches that are left, in reverse order; nil before the end of the sources.
  private var last: [[[UInt8]]]?
  /// Why it has ended early; thrown behind the last batch.
  private var failure: InputError?

  /// Opens the sources, and reads their headers, if they have some.
  package init(_ options: InputOptions) throws(InputError) {
    var readers: [InputReader] = []
    for source in options.effectiveSources {
      readers.append(try InputReader(source, delimiter: options.delimiter))
    }
    self.readers = readers
    columns = options.columns
    names = options.hasHeader ? try Self.names(of: readers, options.columns) : ColumnNames()
    combination = InputCombination(linked: options.effectiveSources.map(\.isLinked))
    joiner = options.batch.joinsLines ? LineJoiner() : nil
    batcher = InputBatcher(options.batch)
    shard = options.shard
  }

  private static func names(
    of readers: [InputReader],
    _ columns: ColumnSplitter?
  ) throws(InputError) -> ColumnNames {
    var headers: [[[UInt8]]] = []
    for reader in readers {
      let text = try reader.next { true } ?? []
      let header = Array(text.dropFirst(ByteOrderMark.count(in: text)))
      headers.append(columns?.columns(of: header) ?? [header])
    }
    do throws(UsageError) {
      return try ColumnNames(headers: headers)
    } catch {
      throw .content(error)
    }
  }

  /// The files that it reads.
  package var files: [InputFile] { readers.compactMap(\.file) }

  /// Says how long commands become, and how many execute at once; to be called before the first
  /// input is read.
  package func fit(_ size: CommandSize, slotCount: Int) {
    batcher.size = size
    batcher.slotCount = slotCount
    batcher.limit(to: ArgumentLimit.room)
  }

  /// Returns the fields of the next execution; nil at the end.
  ///
  /// After the last readable input, throws the reason if reading failed. The closure is called
  /// before this waits for a source; it returns whether more is wanted.
  package func next(beforeReading: () -> Bool = { true }) throws(InputError) -> [[UInt8]]? {
    if last == nil {
      do throws(InputError) {
        while let row = try row(beforeReading) {
          defer { place += 1 }
          guard shard?.takes(place) != false else { continue }
          if let batch = try add(row) { return batch }
        }
      } catch {
        failure = error
      }
      last = batcher.end().reversed()
    }
    if let batch = last?.popLast() { return batch }
    if let failure { throw failure }
    return nil
  }

  private func add(_ row: [[UInt8]]) throws(InputError) -> [[UInt8]]? {
    do throws(UsageError) {
      return try batcher.add(row)
    } catch {
      throw .content(error)
    }
  }

  /// The fields of the next input.
  private func row(_ beforeReading: () -> Bool) throws(InputError) -> [[UInt8]]? {
    while let fields = try combined(beforeReading) {
      guard joiner != nil else { return try cut(fields) }
      if let line = joiner?.add(fields[0]) { return try cut([line]) }
    }
    guard let line = joiner?.last() else { return nil }
    return try cut([line])
  }

  private func combined(_ beforeReading: () -> Bool) throws(InputError) -> [[UInt8]]? {
    try combination.next { source throws(InputError) in
      try readers[source].next(beforeReading: beforeReading)
    }
  }

  /// Cuts the fields of an input into columns.
  ///
  /// With a header and several sources, each source keeps its number of columns, so that a name
  /// stands for one position.
  private func cut(_ fields: [[UInt8]]) throws(InputError) -> [[UInt8]] {
    guard let columns else { return fields }
    guard names.counts.count > 1 else { return fields.flatMap(columns.columns) }
    var row: [[UInt8]] = []
    for (field, count) in zip(fields, names.counts) {
      let found = columns.columns(of: field)
      if found.count > count {
        throw .content(
          UsageError(
            "an input has \(found.count) columns, and its header \(count)",
            argument: field,
            topic: .map
          )
        )
      }
      row += found + [[UInt8]](repeating: [], count: count - found.count)
    }
    return row
  }

  /// Reads everything.
  package func all() throws(InputError) -> MapInputs {
    var inputs = MapInputs()
    while let fields = try next() { inputs.append(fields) }
    return inputs
  }
}
