import Foundation
import PoolTestSupport
import Testing

/// The events that the tables must have, read from the sources, so that none can be forgotten.
enum EventCatalogue {
  /// Not events: they make something known, or hand the effects over.
  static let others: Set<String> = ["addKind", "addRecipe", "create", "reserve", "takeEffects"]

  /// The names of the machine's package methods that change it.
  static func read() throws -> Set<String> {
    let folder = Repository.root.appending(path: "Sources/PoolCore")
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix("PoolMachine") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /package mutating func (\w+)/) {
        names.insert(String(match.output.1))
      }
    }
    return names.subtracting(others)
  }
}

/// A table's rows, one a line: what is before the first `|` names the row.
func rows(_ text: String) -> [String: String] {
  var rows: [String: String] = [:]
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: "|", maxSplits: 1)
    let key = parts[0].split(separator: " ").joined(separator: " ")
    #expect(rows[key] == nil, "\(key) stands twice in the table")
    rows[key] = parts.count > 1 ? parts[1].split(separator: " ").joined(separator: " ") : ""
  }
  return rows
}
