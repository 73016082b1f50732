import PoolModel

/// An error in one line of a manifest.
package struct ManifestError: Hashable, Sendable {
  /// The physical line, from 1.
  package var line: Int
  /// The field that has the error, if it is in one.
  package var field: String?
  /// What is wrong, in one sentence.
  package var message: String

  package init(line: Int, field: String? = nil, message: String) {
    self.line = line
    self.field = field
    self.message = message
  }

  /// The error as `FILE:LINE: field: problem`.
  package func text(file: String) -> String {
    let field = self.field.map { $0 + ": " } ?? ""
    return "\(file):\(line): \(field)\(message)"
  }
}

/// The errors of a manifest: their number, and a readable selection.
package struct ManifestErrors: Error, Hashable, Sendable {
  /// Maximum number of kept errors.
  package static let limit = 20

  /// The first errors, by line.
  package private(set) var first: [ManifestError] = []
  /// Number of all errors.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Adds an error; errors of one pass come in the order of their lines.
  package mutating func append(_ error: ManifestError) {
    count += 1
    let place = first.lastIndex { $0.line <= error.line }.map { $0 + 1 } ?? 0
    first.insert(error, at: place)
    if first.count > Self.limit { first.removeLast() }
  }

  /// The lines for standard error, without line feeds.
  package func lines(file: [UInt8]) -> [String] {
    let name = Printable.text(file)
    let lines = first.map { $0.text(file: name) }
    return count > first.count ? lines + ["… and \(count - first.count) more"] : lines
  }
}
