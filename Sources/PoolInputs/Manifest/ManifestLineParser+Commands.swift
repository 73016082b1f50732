import PoolModel
import PoolWire

extension ManifestLineParser {
  mutating func readArguments() throws(JSONError) {
    row.traits.action = .run
    guard try has(.array, "an array of strings", .run) else { return }
    var isFirst = true
    var count = 0
    try scanner.beginArray()
    while try scanner.hasElement(&isFirst) {
      let byteCount = try checkByteText(.run, "a string in the array")
      if count == 0, byteCount == 0 { note(.run, "the program's name is empty") }
      count += 1
    }
    if count == 0 { note(.run, "the array is empty") }
  }

  mutating func readLine() throws(JSONError) {
    row.traits.action = .shell
    _ = try checkByteText(.shell, "a string")
  }

  mutating func readFolder() throws(JSONError) {
    if try checkByteText(.cwd, "a string") == 0 { note(.cwd, "must not be empty") }
  }

  mutating func readInput() throws(JSONError) {
    _ = try checkByteText(.stdin, "a string", allowsNUL: true)
  }

  mutating func readEnvironment() throws(JSONError) {
    guard try has(.object, "an object of strings", .env) else { return }
    var names: Set<[UInt8]> = []
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let name = scanner.content(of: key)
      let text = Printable.name(name)
      if name.isEmpty { note(.env, "a variable's name is empty") }
      if name.contains(UInt8(ascii: "=")) { note(.env, "'\(text)' contains '='") }
      if name.contains(0) { note(.env, "'\(text)' contains a NUL") }
      if !names.insert(name).inserted { note(.env, "'\(text)' is there twice") }
      _ = try checkByteText(.env, "a string as the value of '\(text)'")
    }
  }

  /// Consumes bytes in their JSON form, and returns their number; nil for another value.
  ///
  /// Almost all of them are strings without escapes, which are checked without a copy: JSON allows
  /// a NUL only as an escape.
  private mutating func checkByteText(
    _ field: ManifestField,
    _ expected: @autoclosure () -> String,
    allowsNUL: Bool = false
  ) throws(JSONError) -> Int? {
    switch try scanner.token() {
    case .string:
      let string = try scanner.scanString()
      guard string.hasEscapes else { return string.range.count }
      return check(scanner.content(of: string), field, allowsNUL: allowsNUL)
    case .object:
      guard let content = try base64(field) else { return nil }
      return check(content, field, allowsNUL: allowsNUL)
    case let other:
      note(field, "expected \(expected()), found \(other.article)")
      _ = try scanner.skipValue()
      return nil
    }
  }

  private mutating func check(
    _ content: [UInt8],
    _ field: ManifestField,
    allowsNUL: Bool
  ) -> Int {
    if !allowsNUL, content.contains(0) { note(field, "contains a NUL") }
    return content.count
  }

  /// Consumes `{"base64":…}`; reports other members of the object.
  private mutating func base64(_ field: ManifestField) throws(JSONError) -> [UInt8]? {
    var probe = scanner
    _ = try scanner.skipValue()
    do {
      return try probe.byteText()
    } catch {
      let isEncoding = error.reason == .invalidBase64
      note(field, isEncoding ? "invalid base64" : #"expected {"base64": "…"}"#)
      return nil
    }
  }
}
