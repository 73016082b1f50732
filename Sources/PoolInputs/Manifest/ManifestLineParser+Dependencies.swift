import PoolModel
import PoolWire

extension ManifestLineParser {
  mutating func readDependencies(into tables: inout ManifestTables) throws(JSONError) {
    guard try has(.array, "an array of ids", .after) else { return }
    var isFirst = true
    try scanner.beginArray()
    while try scanner.hasElement(&isFirst) {
      switch try scanner.token() {
      case .string:
        tables.references.append(DependencyReference(id: try span(), requirement: .succeeded))
      case .object:
        if let reference = try readReference() { tables.references.append(reference) }
      case let other:
        note(.after, "expected an id or {\"id\": …, \"when\": …}, found \(other.article)")
        _ = try scanner.skipValue()
      }
    }
  }

  /// Consumes `{"id":…,"when":…}`.
  private mutating func readReference() throws(JSONError) -> DependencyReference? {
    var id: TextSpan?
    var requirement: PoolRequirement?
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      if scanner.matches(key, "id") {
        if id != nil { note(.after, "'id' is there twice") }
        if try has(.string, "a string as 'id'", .after) { id = try span() }
      } else if scanner.matches(key, "when") {
        if requirement != nil { note(.after, "'when' is there twice") }
        requirement = try readRequirement()
      } else {
        note(.after, "unknown field '\(Printable.name(scanner.text(of: key)))'")
        _ = try scanner.skipValue()
      }
    }
    guard let id else {
      note(.after, "an object without an 'id'")
      return nil
    }
    return DependencyReference(id: id, requirement: requirement ?? .succeeded)
  }

  private mutating func readRequirement() throws(JSONError) -> PoolRequirement? {
    guard try has(.string, "a string as 'when'", .after) else { return nil }
    let name = try scanner.string()
    if let requirement = PoolRequirement(name: name) { return requirement }
    let text = Printable.name(name)
    note(.after, "'when' is succeeded, finished, failed or cancelled, not '\(text)'")
    return nil
  }
}
