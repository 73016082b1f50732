#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Finds programs on a PATH, and caches those that it found.
///
/// A missing program is looked for again each time: an earlier operation may have made it.
package struct ProgramFinder {
  /// The folders to search if there is no PATH.
  package static let defaultPath = Array("/usr/local/bin:/usr/bin:/bin".utf8)

  private struct Query: Hashable {
    var name: [UInt8]
    var path: [UInt8]
  }

  private var found: [Query: [UInt8]] = [:]

  package init() {}

  /// The program's path; a name with a slash is its own path.
  ///
  /// Relative folders of the PATH are relative to `directory`, in which the command will execute.
  package mutating func find(
    _ name: [UInt8],
    path: [UInt8]?,
    directory: [UInt8]?
  ) throws(SpawnFailure) -> [UInt8] {
    guard !name.contains(UInt8(ascii: "/")) else { return name }
    let query = Query(name: name, path: path ?? Self.defaultPath)
    if let known = found[query] { return known }
    let program = try Self.search(query, directory: directory)
    if program.first == UInt8(ascii: "/") { found[query] = program }
    return program
  }

  /// Removes a program from the cache; returns whether it was there.
  package mutating func forget(_ name: [UInt8], path: [UInt8]?) -> Bool {
    found.removeValue(forKey: Query(name: name, path: path ?? Self.defaultPath)) != nil
  }

  private static func search(
    _ query: Query,
    directory: [UInt8]?
  ) throws(SpawnFailure) -> [UInt8] {
    var code = ENOENT
    let slash = UInt8(ascii: "/")
    let folders = query.path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    for folder in folders where !query.name.isEmpty {
      let program = (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + [slash] + query.name
      switch FileCheck.executability(of: FileCheck.path(program, from: directory)) {
      case 0: return program
      case EACCES: code = EACCES
      default: break
      }
    }
    let isMissing = code == ENOENT
    let reason = isMissing ? absence(of: query.name, in: directory) : SystemFailure.reason(code)
    throw SpawnFailure(subject: query.name, reason: reason, isMissing: isMissing)
  }

  /// Says that a program is nowhere on the PATH, and where else it is.
  private static func absence(of name: [UInt8], in directory: [UInt8]?) -> String {
    guard !name.isEmpty, FileCheck.executability(of: FileCheck.path(name, from: directory)) == 0
    else { return "not found on PATH" }
    return
      "not found on PATH; the program in this folder is './\(String(decoding: name, as: UTF8.self))'"
  }
}
