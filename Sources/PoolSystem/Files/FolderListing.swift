#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is in a folder.
package enum FolderListing {
  /// The names, without `.` and `..`; none if it does not exist, or cannot be read.
  package static func names(in path: [UInt8]) -> [[UInt8]] {
    guard let list = path.withCString({ opendir($0) }) else { return [] }
    defer { closedir(list) }
    var names: [[UInt8]] = []
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        Array(bytes.prefix { $0 != 0 })
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }
}
