import PoolModel
import PoolWire

/// Checks a line of a streamed manifest against the earlier ones, and resolves its dependencies.
struct StreamedLineCheck {
  private(set) var errors = ManifestErrors()
  /// The earlier operations that it waits for, and how each must end.
  private(set) var dependencies: [(target: Int, requirement: PoolRequirement)] = []
  /// The identifier that the line gives; nil for its number.
  let id: [UInt8]?
  /// The requirement of each dependency so far: finds repeated names in O(1).
  private var requirements: [Int: PoolRequirement] = [:]
  private let row: ManifestRow
  private let text: ManifestBytes

  /// The names are used here and not kept: a copy would make each further name cost all of them.
  init(
    _ reader: ManifestLineParser,
    _ text: ManifestBytes,
    _ tables: ManifestTables,
    _ names: borrowing StreamedNames,
    _ servesOnlyCommands: Bool
  ) {
    let row = reader.row
    (self.row, self.text) = (row, text)
    id = row.id.isNone ? nil : text.withContent(of: row.id, in: row) { Array($0) }
    for (field, message) in reader.errors { note(field, message) }
    let kind = tables.kinds.names[Int(row.kind)].name
    if servesOnlyCommands, kind != CommandPayload.kind {
      note(.kind, "no worker serves '\(Printable.name(kind))'")
    }
    checkIdentifier(names)
    refuse(tables.extras)
    for reference in tables.references where !reference.isInput { resolve(reference, names) }
  }

  private mutating func note(_ field: String?, _ message: String) {
    errors.append(ManifestError(line: Int(row.line), field: field, message: message))
  }

  private mutating func note(_ field: ManifestField, _ message: String) {
    note(field.name, message)
  }

  /// The identifier of this line, given or not.
  private var identifier: [UInt8] { id ?? Array(String(row.line).utf8) }

  private mutating func checkIdentifier(_ names: borrowing StreamedNames) {
    guard let other = names.find(identifier) else { return }
    let name = Printable.name(identifier)
    let rule = id == nil ? ": a line without an id has its number as id" : ""
    note(.id, "'\(name)' is the id of line \(names.line(of: other)) already\(rule)")
  }

  /// Fields that need lines which are still to come, or outputs that are gone.
  private mutating func refuse(_ extras: ManifestExtras) {
    if !extras.memberships.elements.isEmpty {
      note(.group, "not with --stream, which does not know when a group is complete")
    }
    if !extras.inputs.elements.isEmpty {
      note(.inputs, "not with --stream, which keeps no output; let the operation write a file")
    }
  }

  private mutating func resolve(
    _ reference: DependencyReference,
    _ names: borrowing StreamedNames
  ) {
    let id = text.withContent(of: reference.id, in: row) { Array($0) }
    let name = Printable.name(id)
    guard let target = names.find(id) else {
      return note(
        .after,
        id == identifier
          ? "'\(name)' waits for itself"
          : "no earlier line has the id '\(name)'; with --stream, a line waits for earlier ones only"
      )
    }
    guard let earlier = requirements.updateValue(reference.requirement, forKey: target) else {
      return dependencies.append((target, reference.requirement))
    }
    guard earlier != reference.requirement else { return }
    note(
      .after,
      "'\(name)' is there twice, once \(earlier.name) and once \(reference.requirement.name)"
    )
  }
}
