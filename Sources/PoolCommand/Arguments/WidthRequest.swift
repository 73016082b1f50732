import PoolText

/// How many operations execute at once, as it is written behind `-j`.
package enum WidthRequest: Hashable, Sendable {
  /// So many.
  case count(Int)
  /// As many as the system allows.
  case most
  /// The number of cores that opool may use, plus or minus this number.
  case offset(Int)
  /// So many per cent of the cores.
  case percent(Int)
  /// What a file says, which is read again while the run lasts.
  case file([UInt8])

  /// The most operations at once.
  package static let limit = 10_000

  /// Parses text that looks like a number; nil for other text, which names a file.
  ///
  /// Throws if the text looks like a number but is not valid.
  package init?(number text: some Collection<UInt8>) throws(WidthSyntaxError) {
    guard let first = text.first,
      first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
        || DecimalParser.isDigit(first)
    else { return nil }
    let isPercentage = text.map(\.self).last == UInt8(ascii: "%")
    let isOffset = !DecimalParser.isDigit(first)
    let digits = text.dropFirst(isOffset ? 1 : 0).prefix { DecimalParser.isDigit($0) }
    guard text.count == digits.count + (isOffset ? 1 : 0) + (isPercentage ? 1 : 0),
      !(isOffset && isPercentage), let number = DecimalParser.integer(digits)
    else {
      // A name may begin with a digit or a sign.
      if text.contains(where: { !Self.numeral.contains($0) }) { return nil }
      throw WidthSyntaxError()
    }
    if isOffset {
      self = .offset(first == UInt8(ascii: "-") ? -number : number)
    } else if isPercentage {
      self = .percent(number)
    } else {
      self = number == 0 ? .most : .count(number)
    }
    guard isValid else { throw WidthSyntaxError() }
  }

  private static let numeral = Set("0123456789+-%.".utf8)

  private var isValid: Bool {
    switch self {
    case .count(let count): count <= Self.limit
    case .offset(let offset): abs(offset) <= Self.limit
    case .percent(let percent): (1...1_000_000).contains(percent)
    case .most, .file: true
    }
  }

  /// Parses the content of a file: its first line that is not empty.
  package init(content: [UInt8]) throws(WidthSyntaxError) {
    let words = content.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let word = words.lazy.map { line in
      line.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    }.first { !$0.isEmpty }
    guard let word, let request = try Self(number: word) else { throw WidthSyntaxError() }
    self = request
  }

  /// The width on a machine with this number of cores and this maximum number of workers; nil for a
  /// file.
  ///
  /// It is at least 1, and at most ``limit``.
  package func width(cores: Int, most: Int) -> Int? {
    let width =
      switch self {
      case .count(let count): count
      case .most: most
      case .offset(let offset): cores + offset
      case .percent(let percent): cores * percent / 100
      case .file: 0
      }
    if case .file = self { return nil }
    return min(max(width, 1), Self.limit)
  }
}

/// A text says no width.
package struct WidthSyntaxError: Error, Hashable {
  /// What it should be.
  package static let reason = "a number up to 10000, 0, +N, -N, N% or a file with one of these"
}
