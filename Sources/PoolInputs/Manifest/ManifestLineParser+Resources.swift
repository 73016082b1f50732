import PoolModel
import PoolWire

// Fields for shared resources, and for machines: categories, limits, slots, constraints.

extension ManifestLineParser {
  mutating func readExclusive(into extras: inout ManifestExtras) throws(JSONError) {
    try readStrings(.exclusive) { reader, name in
      if name.isEmpty { return reader.note(.exclusive, "a name is empty") }
      reader.claim(ManifestResource(.init(.exclusive, name)), .exclusive, from: &extras)
    }
  }

  mutating func readConstraint() throws(JSONError) {
    try readStrings(.constraint) { reader, bytes in
      guard let name = String(validating: bytes, as: UTF8.self), ConstrainedKind.isFeature(name)
      else {
        let rule = "1 to \(ConstrainedKind.featureLimit) letters, digits and ._-:="
        return reader.note(.constraint, "'\(Printable.name(bytes))' is no feature: \(rule)")
      }
      reader.constraint.append(name)
    }
  }

  /// Consumes a string, or an array of strings.
  private mutating func readStrings(
    _ field: ManifestField,
    _ body: (inout Self, [UInt8]) -> Void
  ) throws(JSONError) {
    switch try scanner.token() {
    case .string: body(&self, scanner.content(of: try scanner.scanString()))
    case .array:
      var isFirst = true
      try scanner.beginArray()
      while try scanner.hasElement(&isFirst) {
        guard try has(.string, "a string in the array", field) else { continue }
        body(&self, scanner.content(of: try scanner.scanString()))
      }
    case let other:
      note(field, "expected a string or an array of strings, found \(other.article)")
      _ = try scanner.skipValue()
    }
  }

  mutating func readLimits(into extras: inout ManifestExtras) throws(JSONError) {
    guard try has(.object, "an object of integers", .limit) else { return }
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let name = scanner.content(of: key)
      if name.isEmpty { note(.limit, "a name is empty") }
      let words = "an integer of at least 1 as the value of '\(Printable.name(name))'"
      guard let units = try integer(.limit, in: 1...Int(Int32.max), words), !name.isEmpty else {
        continue
      }
      claim(ManifestResource(.init(.limit, name), units: units), .limit, from: &extras)
    }
  }

  mutating func readSlots(into extras: inout ManifestExtras) throws(JSONError) {
    guard let slots = try integer(.slots, in: 1...Int(Int32.max)), slots > 1 else { return }
    extras.slots.append(UInt32(slots))
  }

  private mutating func claim(
    _ resource: ManifestResource,
    _ field: ManifestField,
    from extras: inout ManifestExtras
  ) {
    switch extras.resources.mention(resource, on: row.line) {
    case .consistent(let index):
      extras.claims.append(index)
    case .repeated:
      note(field, "'\(Printable.name(resource.name.text))' is there twice")
    case .contradictory(let units, let line):
      let name = Printable.name(resource.name.text)
      note(field, "'\(name)' is \(resource.units) here, but \(units) on line \(line)")
    }
  }
}
