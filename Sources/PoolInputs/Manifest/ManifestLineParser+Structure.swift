import PoolModel
import PoolText
import PoolWire

// Fields that relate operations, beside `after`: barriers, groups, inputs; the teardown
// sequence, and what is retried.

extension ManifestLineParser {
  mutating func readBarrier() throws(JSONError) {
    guard try has(.bool, "true or false", .barrier) else { return }
    row.traits.isBarrier = try scanner.bool()
  }

  mutating func readIdempotence() throws(JSONError) {
    guard try has(.bool, "true or false", .idempotent) else { return }
    row.traits.isIdempotent = try scanner.bool()
  }

  mutating func readGroup(into extras: inout ManifestExtras) throws(JSONError) {
    guard try has(.string, "a string", .group) else { return }
    let name = scanner.content(of: try scanner.scanString())
    if name.isEmpty { return note(.group, "must not be empty") }
    extras.memberships.append(UInt32(extras.groups.index(of: name)))
  }

  mutating func readInputs(into tables: inout ManifestTables) throws(JSONError) {
    guard try has(.object, "an object of ids", .inputs) else { return }
    var names: Set<[UInt8]> = []
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let name = scanner.content(of: key)
      let text = Printable.name(name)
      check(inputName: name)
      if !names.insert(name).inserted { note(.inputs, "'\(text)' is there twice") }
      let found = try scanner.token()
      guard found == .string else {
        note(.inputs, "expected an id as the value of '\(text)', found \(found.article)")
        _ = try scanner.skipValue()
        continue
      }
      tables.extras.inputs.append(
        ManifestInput(name: TextSpan(key.range, hasEscapes: key.hasEscapes))
      )
      tables.references.append(
        DependencyReference(id: try span(), requirement: .succeeded, isInput: true)
      )
    }
  }

  mutating func readTeardown(into extras: inout ManifestExtras) throws(JSONError) {
    guard try has(.string, "a string of steps and milliseconds", .termSeq) else { return }
    let text = try scanner.string()
    do {
      extras.addTeardown(try TeardownSyntax.parse(text))
    } catch {
      note(.termSeq, Printable.text(error.reason))
    }
  }

  mutating func readRetryCondition(into extras: inout ManifestExtras) throws(JSONError) {
    guard let words = try retryWords() else { return }
    do throws(RetryConditionError) {
      if words.isEmpty { throw RetryConditionError(word: "") }
      extras.addRetryCondition(try RetryCondition(words))
    } catch {
      let found = Printable.name(error.word)
      note(.retryOn, "expected \(RetryConditionError.expected), found '\(found)'")
    }
  }

  /// The words of an array of strings, or of a string with commas between them; nil if there is a
  /// value of another type, which is reported.
  private mutating func retryWords() throws(JSONError) -> [String]? {
    switch try scanner.token() {
    case .string:
      let text = try scanner.string()
      return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    case .array:
      var (words, isFirst, isWhole) = ([String](), true, true)
      try scanner.beginArray()
      while try scanner.hasElement(&isFirst) {
        if try has(.string, "a string in the array", .retryOn) {
          words.append(try scanner.string())
        } else {
          isWhole = false
        }
      }
      return isWhole ? words : nil
    case let other:
      note(.retryOn, "expected a string or an array of strings, found \(other.article)")
      _ = try scanner.skipValue()
      return nil
    }
  }

  /// Reports a name that cannot be part of a shell variable's name.
  private mutating func check(inputName name: [UInt8]) {
    if name.isEmpty { return note(.inputs, "a name is empty") }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let isPlain = name.allSatisfy { byte in
      letters.contains(byte | 0x20) || DecimalParser.isDigit(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain { return }
    note(.inputs, "'\(Printable.name(name))' may have the letters a to z, digits and '_' only")
  }
}
