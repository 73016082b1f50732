import Foundation
import PoolTestSupport
import Testing

/// The events that the tables must have, read from the sources, so that none can be forgotten.
enum EventCatalogue {
  /// Not events: they make something known or pass something on.
  static let others: Set<String> = [
    "addFleet", "addKind", "addQueue", "addConfiguration", "addResource", "change", "continueAll",
    "create", "ignoreBarriers", "removeResource", "reserve", "setRunDeadline", "stopAll",
    "supervise", "widen", "workerReported",
  ]

  /// The names of the machines' package methods that change them, and of the events that are
  /// values.
  static func read() throws -> Set<String> {
    let folder = Repository.root.appending(path: "Sources/PoolCore").resolvingSymlinksInPath()
    var names: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      guard file.contains("/PoolMachine") || file.contains("/Graph") || events(file) else {
        continue
      }
      for match in text.matches(of: /package mutating func (\w+)/) {
        names.insert(String(match.output.1))
      }
      guard events(file) else { continue }
      for match in text.matches(of: /\n  case (\w+)/) { names.insert(String(match.output.1)) }
    }
    return names.subtracting(others)
  }

  private static func events(_ file: String) -> Bool {
    ["GraphChange", "LimitChange", "WorkerEvent", "WorkerReport"].contains {
      file.hasSuffix("/\($0).swift")
    }
  }
}

/// A table's rows, by state and event.
///
/// A line that ends with a colon names a state. Each other line is a row: the events, what is
/// said of them, the state that follows, and all effects; `same` is the state before.
func rows(_ text: String) -> [String: String] {
  var rows: [String: String] = [:]
  var state = ""
  for line in text.split(separator: "\n") {
    if line.hasSuffix(":") {
      state = String(line.dropLast())
      continue
    }
    let parts = line.split(separator: "|", maxSplits: 1)
    let fields = parts[1].split(separator: ";").map { field in
      field.split(separator: " ").joined(separator: " ")
    }
    let row = [fields[0], fields[1] == "same" ? state : fields[1]] + fields[2...]
    for event in parts[0].split(whereSeparator: { " ,".contains($0) }) {
      let key = "\(state) \(event)"
      #expect(rows[key] == nil, "\(key) stands twice in the table")
      rows[key] = row.joined(separator: "; ")
    }
  }
  return rows
}
