import PoolCore
import PoolModel

/// The second pass over a manifest: resolves names to numbers, and finds cycles.
struct DependencyResolver {
  /// The dependencies of each operation: operations and, behind them, groups.
  private(set) var dependencies = DependencyRows()
  private(set) var requirements: [PoolRequirement] = []
  private var nodes: ManifestNodes
  /// Number of inputs that were resolved.
  private var inputCount = 0
  /// The operations whose outputs the current operation takes as inputs.
  private var inputSources: Set<Int> = []

  init(_ reader: ManifestReader, in text: ManifestBytes) {
    nodes = ManifestNodes(reader.rows, reader.tables.extras.groups, in: text)
  }

  /// Finds the operation or group that each reference names.
  ///
  /// Missing names are not reported if a line could not be read: it may define them.
  mutating func resolve(_ reader: inout ManifestReader) {
    insertIdentifiers(&reader)
    if nodes.groups.count > 0 { checkGroups(&reader) }
    dependencies.reserveCapacity(
      rows: reader.rows.count,
      targets: reader.tables.references.count
    )
    requirements.reserveCapacity(reader.tables.references.count)
    // For each node, 1 + the last edge that led to it: finds repeated names in O(1).
    var lastEdges = [UInt32](repeating: 0, count: nodes.count)
    for row in reader.rows.indices {
      resolveRow(row, &reader, &lastEdges)
      dependencies.endRow()
    }
    reader.tables.references = []
  }

  private mutating func insertIdentifiers(_ reader: inout ManifestReader) {
    for row in reader.rows.indices {
      guard let first = nodes.insert(row) else { continue }
      let line = nodes.rows[first].line
      let isNumber = reader.rows[row].id.isNone
      let rule = isNumber ? ": a line without an id has its number as id" : ""
      reader.note(row, .id, "'\(nodes.name(of: row))' is the id of line \(line) already\(rule)")
    }
  }

  private mutating func resolveRow(
    _ row: Int,
    _ reader: inout ManifestReader,
    _ lastEdges: inout [UInt32]
  ) {
    let range = Int(reader.referenceStarts[row])..<Int(reader.referenceStarts[row + 1])
    if range.isEmpty { return }
    let rowStart = dependencies.targets.count
    if !inputSources.isEmpty { inputSources = [] }
    for index in range {
      let reference = reader.tables.references[index]
      let target = nodes.find(reference.id, in: row)
      if reference.isInput { keepInput(from: target, of: row, &reader) }
      guard let target else {
        if !reader.hasUnreadLines { noteMissing(reference, of: row, &reader) }
        continue
      }
      let earlier = Int(lastEdges[target]) - 1
      if earlier >= rowStart {
        checkAgain(reference, earlier: earlier, target, of: row, &reader)
        continue
      }
      dependencies.append(target)
      requirements.append(reference.requirement)
      lastEdges[target] = UInt32(dependencies.targets.count)
    }
  }

  /// Stores whose output an input is; inputs come in the order of their references.
  private mutating func keepInput(
    from source: Int?,
    of row: Int,
    _ reader: inout ManifestReader
  ) {
    defer { inputCount += 1 }
    guard let source else { return }
    inputSources.insert(source)
    reader.tables.extras.inputs.elements[inputCount].source = UInt32(source)
    guard nodes.isGroup(source) else { return }
    reader.note(row, .inputs, "'\(nodes.name(of: source))' is a group, which has no output")
  }

  /// The order of the operations; nil, with an error, if there is a cycle.
  func order(_ reader: inout ManifestReader) -> DependencyOrder? {
    let extras = reader.tables.extras
    do {
      return try ManifestGraph(dependencies, extras).order()
    } catch {
      let path = error.path.filter { $0 < nodes.count }
      let names = path.map { node in
        nodes.name(of: node) + (nodes.isGroup(node) ? " (group)" : barrierMark(node))
      }
      let ring = (names + names.prefix(1)).joined(separator: " → ")
      let isAlone = path.count { !nodes.isGroup($0) } == 1
      let words =
        isAlone
        ? "'\(nodes.name(of: path[0]))' waits for itself" : "these operations wait for each other"
      reader.note(path[0], field(of: path, extras), "\(words): \(ring)")
      return nil
    }
  }

  private func barrierMark(_ node: Int) -> String {
    nodes.rows[node].traits.isBarrier ? " (barrier)" : ""
  }

  /// The field by which the first operation of a cycle waits for the next node.
  ///
  /// It is the operation with the lowest number, so that no barrier makes it wait.
  private func field(of path: [Int], _ extras: ManifestExtras) -> ManifestField {
    let next = path.count > 1 ? path[1] : path[0]
    return extras.inputs[path[0]].contains { $0.source == next } ? .inputs : .after
  }
}

// MARK: - What is wrong

extension DependencyResolver {
  /// Reports the groups that have the name of an operation, each once.
  private func checkGroups(_ reader: inout ManifestReader) {
    var seen = [Bool](repeating: false, count: nodes.groups.count)
    for (row, list) in reader.tables.extras.memberships.rows {
      for group in list.map({ Int($0) }) where !seen[group] {
        seen[group] = true
        let name = nodes.groups.names[group]
        guard let operation = name.withUnsafeBufferPointer({ nodes.find($0) }) else { continue }
        let line = nodes.rows[operation].line
        reader.note(row, .group, "'\(Printable.name(name))' is the id of line \(line)")
      }
    }
  }

  private func noteMissing(
    _ reference: DependencyReference,
    of row: Int,
    _ reader: inout ManifestReader
  ) {
    let name = nodes.printable(reference.id, in: row)
    reader.note(row, reference.field, "there is no operation '\(name)'")
  }

  private func checkAgain(
    _ reference: DependencyReference,
    earlier: Int,
    _ target: Int,
    of row: Int,
    _ reader: inout ManifestReader
  ) {
    let first = requirements[earlier]
    guard first != reference.requirement else { return }
    let name = nodes.name(of: target)
    let words =
      "'\(name)' is there twice, once \(first.name) and once \(reference.requirement.name)"
    guard inputSources.contains(target) else {
      return reader.note(row, .after, words)
    }
    let other = reference.isInput ? first : reference.requirement
    reader.note(row, .inputs, "'\(name)' must succeed, but 'after' says \(other.name)")
  }
}
