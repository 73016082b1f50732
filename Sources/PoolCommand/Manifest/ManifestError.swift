/// Something that is wrong with one line of a manifest.
package struct ManifestError: Hashable, Sendable {
  /// The physical line, from 1.
  package var line: Int
  /// The field that is meant, where it is one.
  package var field: String?
  /// What is wrong.
  package var message: String

  package init(line: Int, field: String? = nil, message: String) {
    self.line = line
    self.field = field
    self.message = message
  }

  /// The error as `FILE:LINE: field: what is wrong`.
  package func text(file: String) -> String {
    let field = self.field.map { $0 + ": " } ?? ""
    return "\(file):\(line): \(field)\(message)"
  }
}

/// All that is wrong with a manifest, as far as people will want to read.
package struct ManifestErrors: Error, Hashable, Sendable {
  /// How many errors are kept.
  package static let limit = 20

  /// The first errors, by line.
  package private(set) var first: [ManifestError] = []
  /// How many there are.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Adds an error; errors of one pass come in the order of their lines.
  mutating func append(_ error: ManifestError) {
    count += 1
    let place = first.lastIndex { $0.line <= error.line }.map { $0 + 1 } ?? 0
    first.insert(error, at: place)
    if first.count > Self.limit { first.removeLast() }
  }

  /// The lines for the standard error, without ends of lines.
  package func lines(file: [UInt8]) -> [String] {
    let name = Printable.text(file)
    let lines = first.map { $0.text(file: name) }
    return count > first.count ? lines + ["… and \(count - first.count) more"] : lines
  }
}
