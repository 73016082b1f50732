/// How many inputs one execution of a map takes.
package struct BatchRule: Hashable, Sendable {
  /// Maximum number of inputs, or lines; nil if only the length of the command is limited.
  package var count: Int? = 1
  /// Whether each execution takes as many inputs as the count and the length of its command allow,
  /// and the last inputs are spread over all slots.
  package var fills = false
  /// Whether a word with an input is repeated for each further one: `a{}b` becomes `a1b a2b`.
  package var repeatsWords = false
  /// Whether empty inputs do not count, and one that ends in a blank goes on with the next.
  package var joinsLines = false
  /// The most bytes of a command, as the user has limited it.
  package var byteLimit: Int?

  package init() {}

  /// The bytes that fill a command at most: what Linux allows for one word, and so for a line that
  /// a shell executes.
  package static let largestCommand = 131_071

  /// The bytes that words may have together, with a place of 8 bytes for each.
  package var room = Int.max

  /// The number of bytes at which a batch ends before its count; nil for no limit.
  ///
  /// A word of one byte takes, with its NUL and its pointer, five times its two bytes.
  var effectiveByteLimit: Int? { byteLimit ?? (fills ? min(Self.largestCommand, room / 5) : nil) }

  /// Whether executions take inputs that their commands do not get.
  var isCountOnly: Bool { count == 0 }
}

/// The values of the options for batches, as they were given.
package struct BatchOptionValues: Hashable {
  /// The value of -n.
  package var count: Int?
  /// The value of -L.
  package var lineCount: Int?
  /// The value of -N.
  package var replacedCount: Int?
  /// Whether -X was given.
  package var fillsAndRepeats = false
  /// Whether -m was given.
  package var fills = false
  /// The value of -s.
  package var byteLimit: Int?

  /// The first given option that does not apply to blocks; nil if there is none.
  package var strayOfBlocks: String? {
    if count != nil { return "-n" }
    if lineCount != nil { return "-L" }
    if fillsAndRepeats { return "-X" }
    if fills { return "-m" }
    return byteLimit == nil ? nil : "-s"
  }

  /// The rule; throws where options exclude each other.
  func rule() throws(UsageError) -> BatchRule {
    let counts = [("-n", count), ("-L", lineCount), ("-N", replacedCount)].filter { $0.1 != nil }
    if counts.count > 1 {
      throw UsageError("\(counts[0].0) and \(counts[1].0) are two sizes of a batch", topic: .map)
    }
    if fills, fillsAndRepeats {
      throw UsageError("-X and -m treat the text around {} differently", topic: .map)
    }
    var rule = BatchRule()
    rule.fills = fills || fillsAndRepeats
    rule.count = counts.first?.1 ?? (rule.fills ? nil : 1)
    if rule.fills, rule.count == 0 {
      throw UsageError("a command without inputs cannot be filled with them", topic: .map)
    }
    rule.repeatsWords = fillsAndRepeats || !fills && (lineCount != nil || replacedCount != nil)
    rule.joinsLines = lineCount != nil
    rule.byteLimit = byteLimit
    return rule
  }
}
