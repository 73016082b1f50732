import PoolCore
import PoolModel

/// The second pass over a manifest: identifiers become numbers, and cycles are looked for.
struct DependencyResolver {
  private(set) var dependencies = DependencyRows()
  private(set) var requirements: [PoolRequirement] = []

  /// Finds the operation that each reference names.
  ///
  /// Nothing is said about missing ones where a line could not be read: they may be there.
  mutating func resolve(_ reader: inout ManifestReader, in text: ManifestText) {
    let table = identifiers(&reader, in: text)
    dependencies.reserveCapacity(
      rows: reader.rows.count,
      targets: reader.tables.references.count
    )
    requirements.reserveCapacity(reader.tables.references.count)
    // For each operation, the last edge that led to it and 1: tells twice-named ones in O(1).
    var lastEdges = [UInt32](repeating: 0, count: reader.rows.count)
    for row in reader.rows.indices {
      resolveRow(row, &reader, text, table, &lastEdges)
      dependencies.endRow()
    }
    reader.tables.references = []
  }

  private func identifiers(
    _ reader: inout ManifestReader,
    in text: ManifestText
  ) -> IdentifierTable {
    var table = IdentifierTable(capacity: reader.rows.count)
    for row in reader.rows.indices {
      let rows = reader.rows
      let first = text.withIdentifier(of: rows[row]) { id in
        table.insert(row, Self.hash(id)) { other in
          text.withIdentifier(of: rows[other]) { $0.elementsEqual(id) }
        }
      }
      guard let first else { continue }
      let name = Printable.text(text.withIdentifier(of: rows[row]) { Array($0) })
      reader.note(row, .id, "'\(name)' is the id of line \(rows[first].line) already")
    }
    return table
  }

  private mutating func resolveRow(
    _ row: Int,
    _ reader: inout ManifestReader,
    _ text: ManifestText,
    _ table: IdentifierTable,
    _ lastEdges: inout [UInt32]
  ) {
    let rowStart = dependencies.targets.count
    let range = Int(reader.referenceStarts[row])..<Int(reader.referenceStarts[row + 1])
    for index in range {
      let reference = reader.tables.references[index]
      guard let target = Self.find(reference, of: reader.rows[row], reader.rows, text, table) else {
        if !reader.hasUnreadLines { noteMissing(reference, of: row, &reader, text) }
        continue
      }
      let earlier = Int(lastEdges[target]) - 1
      if earlier >= rowStart {
        checkAgain(reference, earlier: earlier, target, of: row, &reader, text)
        continue
      }
      dependencies.append(target)
      requirements.append(reference.requirement)
      lastEdges[target] = UInt32(dependencies.targets.count)
    }
  }

  private static func find(
    _ reference: DependencyReference,
    of row: ManifestRow,
    _ rows: [ManifestRow],
    _ text: ManifestText,
    _ table: IdentifierTable
  ) -> Int? {
    text.withContent(of: reference.id, in: row) { id in
      table.find(hash(id)) { other in
        text.withIdentifier(of: rows[other]) { $0.elementsEqual(id) }
      }
    }
  }

  @inline(__always)
  private static func hash(_ id: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(id))
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  // MARK: What is wrong

  private func noteMissing(
    _ reference: DependencyReference,
    of row: Int,
    _ reader: inout ManifestReader,
    _ text: ManifestText
  ) {
    let id = text.withContent(of: reference.id, in: reader.rows[row]) { Array($0) }
    reader.note(row, .after, "there is no operation '\(Printable.text(id))'")
  }

  private func checkAgain(
    _ reference: DependencyReference,
    earlier: Int,
    _ target: Int,
    of row: Int,
    _ reader: inout ManifestReader,
    _ text: ManifestText
  ) {
    let first = requirements[earlier]
    guard first != reference.requirement else { return }
    let name = Self.name(target, reader.rows, text)
    reader.note(
      row,
      .after,
      "'\(name)' is there twice, once \(first.name) and once \(reference.requirement.name)"
    )
  }

  private static func name(_ row: Int, _ rows: [ManifestRow], _ text: ManifestText) -> String {
    Printable.text(text.withIdentifier(of: rows[row]) { Array($0) })
  }

  /// The order of the operations; nil, with an error, where there is a cycle.
  func order(_ reader: inout ManifestReader, in text: ManifestText) -> DependencyOrder? {
    do {
      return try DependencyOrder(dependencies)
    } catch {
      let names = error.path.map { Self.name($0, reader.rows, text) }
      let ring = (names + names.prefix(1)).joined(separator: " → ")
      let message =
        names.count == 1
        ? "'\(names[0])' waits for itself: \(ring)"
        : "these operations wait for each other: \(ring)"
      reader.note(error.path[0], .after, message)
      return nil
    }
  }
}
