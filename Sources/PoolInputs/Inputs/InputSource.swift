import PoolModel

/// Where inputs come from: the arguments behind `:::`, a file, or the standard input.
package struct InputSource: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case arguments([[UInt8]])
    case file([UInt8])
    case standardInput
  }

  package var place: Place
  /// Whether it goes along with the source before it, instead of being combined with all of its
  /// inputs.
  package var isLinked: Bool

  package init(_ place: Place, isLinked: Bool = false) {
    self.place = place
    self.isLinked = isLinked
  }

  /// The source with a file's name; `-` is the standard input.
  package static func named(_ name: [UInt8], isLinked: Bool = false) -> Self {
    Self(name == [UInt8(ascii: "-")] ? .standardInput : .file(name), isLinked: isLinked)
  }

  /// The file; nil for the standard input, and for arguments.
  package var path: [UInt8]? {
    if case .file(let path) = place { path } else { nil }
  }

  /// In a message.
  package var words: String {
    switch place {
    case .arguments: "the arguments"
    case .file(let name): "'\(Printable.text(name))'"
    case .standardInput: "the standard input"
    }
  }
}

/// The words that begin input sources, as in GNU parallel.
package enum SourceSeparator: String, CaseIterable {
  case arguments = ":::"
  case linkedArguments = ":::+"
  case files = "::::"
  case linkedFiles = "::::+"

  package init?(_ word: [UInt8]) {
    guard word.first == UInt8(ascii: ":") else { return nil }
    self.init(rawValue: String(decoding: word, as: UTF8.self))
  }

  /// The sources of the words behind it.
  ///
  /// Each file is a source of its own; behind `::::+`, all of them are linked.
  package func sources(of words: [[UInt8]]) throws(UsageError) -> [InputSource] {
    switch self {
    case .arguments: return [InputSource(.arguments(words))]
    case .linkedArguments: return [InputSource(.arguments(words), isLinked: true)]
    case .files, .linkedFiles:
      if words.isEmpty {
        throw UsageError("'\(rawValue)' needs the name of a file", topic: .map)
      }
      if words.contains([]) {
        throw UsageError("the name of a file with inputs is empty", topic: .map)
      }
      return words.map { .named($0, isLinked: self == .linkedFiles) }
    }
  }

  /// Divides words into those before the first separator, and the sources behind.
  package static func divide(
    _ words: [[UInt8]]
  ) throws(UsageError) -> (command: [[UInt8]], sources: [InputSource]) {
    let places = words.indices.filter { Self(words[$0]) != nil }
    guard let first = places.first else { return (words, []) }
    var sources: [InputSource] = []
    for (index, place) in places.enumerated() {
      let end = index + 1 < places.count ? places[index + 1] : words.count
      guard let separator = Self(words[place]) else { continue }
      sources += try separator.sources(of: Array(words[(place + 1)..<end]))
    }
    return (Array(words[..<first]), sources)
  }
}
