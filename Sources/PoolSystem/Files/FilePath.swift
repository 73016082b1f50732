#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The names of files.
package enum FilePath {
  /// Whether the path names something, including a broken link.
  package static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0
  }

  /// Whether the path itself names a link.
  package static func isLink(_ path: [UInt8]) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Renames a file; replaces another file of that name.
  package static func rename(_ path: [UInt8], to target: [UInt8]) throws(SystemFailure) {
    let code = path.withCString { path in
      target.withCString { target in
        #if canImport(Darwin)
        Darwin.rename(path, target)
        #else
        Glibc.rename(path, target)
        #endif
      }
    }
    guard code == 0 else { throw .last("rename") }
  }

  /// Removes a file's name.
  package static func remove(_ path: [UInt8]) {
    _ = path.withCString { unlink($0) }
  }

  /// The path of an existing file without symbolic links.
  package static func resolve(_ path: [UInt8]) throws(SystemFailure) -> [UInt8] {
    guard let resolved = path.withCString({ realpath($0, nil) }) else {
      throw .last("realpath")
    }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// The names that lead from a folder to a file in it, which need not exist; nil if its folder is
  /// not below that one.
  package static func relativeComponents(of path: [UInt8], in root: [UInt8]) -> [[UInt8]]? {
    guard let root = try? resolve(root), let folder = try? resolve(folder(of: path)) else {
      return nil
    }
    let slash = UInt8(ascii: "/")
    let (outer, inner) = (root.split(separator: slash), folder.split(separator: slash))
    guard inner.starts(with: outer) else { return nil }
    let name = path.split(separator: slash).last.map { Array($0) } ?? []
    return inner.dropFirst(outer.count).map { Array($0) } + [name]
  }

  /// The folder of a path: all before its last name.
  static func folder(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    return slash == 0 ? Array("/".utf8) : Array(path[..<slash])
  }
}
