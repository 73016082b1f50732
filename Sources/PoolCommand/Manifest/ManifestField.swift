import PoolWire

/// The fields that a line of a manifest may have.
enum ManifestField: UInt16, CaseIterable {
  case id
  case run
  case shell
  case kind
  case payload
  case after
  case priority
  case qos
  case timeout
  case retries
  case cwd
  case env
  case stdin
  case name
  // From here on, those that few lines have.
  case exclusive
  case limit
  case slots
  case barrier
  case group
  case inputs
  case termSeq
  case expected

  /// The field of a key, or nil where there is none of that name.
  init?(_ key: JSONStringRange, in scanner: JSONScanner) {
    guard let field = Self.candidate(key, in: scanner) else { return nil }
    self = field
  }

  /// The name in manifests.
  var text: String { String(describing: self) }

  private static func candidate(_ key: JSONStringRange, in scanner: JSONScanner) -> Self? {
    if key.hasEscapes {
      let name = scanner.text(of: key)
      return allCases.first { $0.text == name }
    }
    switch key.range.count {
    case 2: return scanner.matches(key, "id") ? .id : nil
    case 3: return short(key, in: scanner)
    case 4: return scanner.matches(key, "kind") ? .kind : scanner.matches(key, "name") ? .name : nil
    case 5: return middle(key, in: scanner)
    case 6: return scanner.matches(key, "inputs") ? .inputs : nil
    case 7: return long(key, in: scanner)
    case 8: return longer(key, in: scanner)
    case 9: return scanner.matches(key, "exclusive") ? .exclusive : nil
    default: return nil
    }
  }

  private static func short(_ key: JSONStringRange, in scanner: JSONScanner) -> Self? {
    if scanner.matches(key, "run") { return .run }
    if scanner.matches(key, "cwd") { return .cwd }
    if scanner.matches(key, "env") { return .env }
    return scanner.matches(key, "qos") ? .qos : nil
  }

  private static func middle(_ key: JSONStringRange, in scanner: JSONScanner) -> Self? {
    if scanner.matches(key, "after") { return .after }
    if scanner.matches(key, "shell") { return .shell }
    if scanner.matches(key, "stdin") { return .stdin }
    if scanner.matches(key, "group") { return .group }
    if scanner.matches(key, "limit") { return .limit }
    return scanner.matches(key, "slots") ? .slots : nil
  }

  private static func long(_ key: JSONStringRange, in scanner: JSONScanner) -> Self? {
    if scanner.matches(key, "payload") { return .payload }
    if scanner.matches(key, "timeout") { return .timeout }
    if scanner.matches(key, "retries") { return .retries }
    if scanner.matches(key, "termSeq") { return .termSeq }
    return scanner.matches(key, "barrier") ? .barrier : nil
  }

  private static func longer(_ key: JSONStringRange, in scanner: JSONScanner) -> Self? {
    if scanner.matches(key, "priority") { return .priority }
    return scanner.matches(key, "expected") ? .expected : nil
  }
}

/// Which fields a line has.
struct ManifestFieldSet {
  private var bits: UInt32 = 0

  /// Adds a field; false where it was there already.
  mutating func insert(_ field: ManifestField) -> Bool {
    let bit = UInt32(1) << field.rawValue
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether there is one among this field and those that are declared after it.
  func containsAny(from first: ManifestField) -> Bool {
    bits >> first.rawValue != 0
  }

  func contains(_ field: ManifestField) -> Bool {
    bits & (1 << field.rawValue) != 0
  }
}
