// The words of a command, as a shell would find them.

extension NestedProgram {
  /// The words of a command without a shell.
  static func words(_ words: [[UInt8]]) -> [Word] {
    var finder = ProgramNameFinder()
    return words.map { text in
      defer { finder.pass(text) }
      return Word(text: text, startsCommand: finder.mayBeNext)
    }
  }

  /// The words of a line, as determined by quotes and separators; at the end, those of
  /// substitutions.
  static func words(ofLine line: [UInt8], _ placeholders: PlaceholderParser) -> [Word] {
    var splitter = WordSplitter(placeholders)
    splitter.pass(line)
    return splitter.words + splitter.inner
  }
}

/// Splits a line into words.
private struct WordSplitter {
  private(set) var words: [NestedProgram.Word] = []
  /// The words of substitutions.
  private(set) var inner: [NestedProgram.Word] = []
  private let placeholders: PlaceholderParser
  private var word: NestedProgram.Word?
  private var quote: UInt8?
  private var isEscaped = false
  private var isFirst = true
  private var finder = ProgramNameFinder()

  init(_ placeholders: PlaceholderParser) {
    self.placeholders = placeholders
  }

  mutating func pass(_ line: [UInt8]) {
    var index = 0
    while index < line.count {
      let count = length(ofPieceAt: index, in: line)
      if count > 1 {
        append(line[index..<(index + count)])
      } else {
        pass(line[index])
      }
      index += count
    }
    end()
  }

  /// The length of a placeholder, or of a substitution, which is split by itself; otherwise 1.
  private mutating func length(ofPieceAt index: Int, in line: [UInt8]) -> Int {
    if isEscaped { return 1 }
    // The name of a column may have blanks and quotes.
    if let match = placeholders.match(line[index...]) { return match.count }
    guard quote != UInt8(ascii: "'"), let content = substitution(in: line, at: index)
    else { return 1 }
    inner += NestedProgram.words(ofLine: Array(line[content]), placeholders)
    return content.upperBound + 1 - index
  }

  private mutating func pass(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      append([byte])
    } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
      isEscaped = true
      append([])
      word?.isQuoted = true
    } else if let open = quote {
      if byte == open { quote = nil } else { append([byte]) }
    } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
      append([])
      word?.isQuoted = true
      quote = byte
    } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
      end()
    } else if ";&|()\n`".utf8.contains(byte) {
      end()
      (finder, isFirst) = (ProgramNameFinder(), true)
    } else {
      append([byte])
    }
  }

  /// Adds bytes to the word, which they begin if there is none.
  private mutating func append(_ bytes: some Sequence<UInt8>) {
    if word == nil {
      word = NestedProgram.Word(startsCommand: finder.mayBeNext, isFirst: isFirst)
      isFirst = false
    }
    word?.text += bytes
  }

  private mutating func end() {
    guard let ended = word else { return }
    words.append(ended)
    word = nil
    finder.pass(ended.text)
  }

  /// The content of a `$(…)` that begins here, whose own quotes may have further ones; nil if none
  /// begins, or if it does not end.
  private func substitution(in line: [UInt8], at start: Int) -> Range<Int>? {
    guard line[start...].starts(with: "$(".utf8) else { return nil }
    var (index, depth, quote) = (start + 2, 0, UInt8?.none)
    while index < line.count {
      let byte = line[index]
      if let match = placeholders.match(line[index...]) {
        index += match.count - 1
      } else if quote == UInt8(ascii: "'") {
        if byte == quote { quote = nil }
      } else if byte == UInt8(ascii: "\\") {
        index += 1
      } else if quote != nil, line[index...].starts(with: "$(".utf8) {
        guard let content = substitution(in: line, at: index) else { return nil }
        index = content.upperBound
      } else if byte == quote {
        quote = nil
      } else if quote == nil {
        if byte == UInt8(ascii: ")"), depth == 0 { return (start + 2)..<index }
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
      }
      index += 1
    }
    return nil
  }
}
