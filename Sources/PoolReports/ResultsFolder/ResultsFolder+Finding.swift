package import PoolInputs
import PoolSystem

// Where the outputs of an operation are, for those who read them.

extension ResultsFolder {
  /// The most folders that are looked into.
  private static let searchLimit = 1_000_000

  /// The path of an operation's folder, which need not exist.
  package func place(of operation: Int, in workload: any Workload) -> [UInt8] {
    names(of: operation, in: workload).reduce(root(of: path)) { $0 + [UInt8(ascii: "/")] + $1 }
  }

  private func root(of path: [UInt8]) -> [UInt8] {
    Array(path.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
  }

  /// The name of the folder for an operation with this identifier.
  package static func name(of id: [UInt8]) -> [UInt8] { ResultsName.name(of: id) }

  /// The folder, below another one, of the operation with that number; nil if there is none.
  package static func folder(numbered number: [UInt8], below root: [UInt8]) -> [UInt8]? {
    var folders = [(path: root, depth: 0)]
    var place = 0
    while place < folders.count, place < searchLimit {
      let (path, depth) = folders[place]
      place += 1
      for name in FolderListing.names(in: path) {
        let inner = path + [UInt8(ascii: "/")] + name
        guard OutputFolder.exists(inner), !FilePath.isLink(inner) else { continue }
        if hasNumber(number, in: inner) { return inner }
        if depth < ResultsPaths.depthLimit { folders.append((inner, depth + 1)) }
      }
    }
    return nil
  }

  private static func hasNumber(_ number: [UInt8], in folder: [UInt8]) -> Bool {
    let path = folder + Array("/seq".utf8)
    guard FileIdentity(path: path)?.isRegular == true,
      let descriptor = try? Descriptors.openFile(path: path)
    else { return false }
    defer { Descriptors.close(descriptor) }
    guard let text = try? SystemIO.readAll(descriptor), text.count < 22 else { return false }
    return text.prefix { $0 != UInt8(ascii: "\n") } == number[...]
  }
}
