import PoolModel

/// Resolves names in a manifest: operations and, behind them, groups, in one numbering.
///
/// It borrows the text: it must not outlive the closure that lent it.
struct ManifestNodes {
  let text: ManifestBytes
  let rows: [ManifestRow]
  let groups: NameTable<[UInt8]>
  private var table: IdentifierTable

  init(_ rows: [ManifestRow], _ groups: NameTable<[UInt8]>, in text: ManifestBytes) {
    self.rows = rows
    self.groups = groups
    self.text = text
    table = IdentifierTable(capacity: rows.count)
  }

  /// Number of operations and groups.
  var count: Int { rows.count + groups.count }

  /// Adds an operation by its identifier; returns the operation that already has it, if any.
  mutating func insert(_ row: Int) -> Int? {
    let (text, rows) = (text, rows)
    return text.withIdentifier(of: rows[row]) { id in
      table.insert(row, Self.hash(id)) { other in
        text.withIdentifier(of: rows[other]) { $0.elementsEqual(id) }
      }
    }
  }

  /// The node that a string in a row's line names; nil if there is none.
  @inline(__always)
  func find(_ name: TextSpan, in row: Int) -> Int? {
    text.withContent(of: name, in: rows[row]) { find($0) } ?? findGroup(name, in: row)
  }

  private func findGroup(_ name: TextSpan, in row: Int) -> Int? {
    groups.find(text.withContent(of: name, in: rows[row]) { Array($0) })
      .map { rows.count + $0 }
  }

  /// The operation with an identifier; nil if there is none.
  func find(_ id: UnsafeBufferPointer<UInt8>) -> Int? {
    table.find(Self.hash(id)) { other in
      text.withIdentifier(of: rows[other]) { $0.elementsEqual(id) }
    }
  }

  func isGroup(_ node: Int) -> Bool { node >= rows.count }

  /// The name of a node, safe to print.
  func name(of node: Int) -> String {
    if isGroup(node) { return Printable.name(groups.names[node - rows.count]) }
    return Printable.name(text.withIdentifier(of: rows[node]) { Array($0) })
  }

  /// A string in a row's line, safe to print.
  func printable(_ span: TextSpan, in row: Int) -> String {
    Printable.name(text.withContent(of: span, in: rows[row]) { Array($0) })
  }

  @inline(__always)
  private static func hash(_ id: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(id))
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
