package import PoolSystem

/// The files of kept runs.
package struct KeptRunFolder {
  package let folder: StateFolder

  package init(_ folder: StateFolder) {
    self.folder = folder
  }

  /// The folder of this user; nil where the environment names none.
  package init?(_ environment: ProcessEnvironment) {
    guard let folder = StateFolder(named: "opool", in: environment) else { return nil }
    self.init(folder)
  }

  /// Its path.
  package var path: [UInt8] { folder.path }

  /// The paths of all runs, the latest first.
  package var runs: [[UInt8]] {
    files.sorted { $1.name < $0.name }.map { folder.file(named: $0.name.bytes) }
  }

  private var files: [(name: RunFileName, size: Int64)] {
    folder.names.compactMap { name in
      guard let run = RunFileName(.records, name), let size = folder.size(of: name) else {
        return nil
      }
      return (run, size)
    }
  }

  /// Removes the oldest runs, so that no more than that many are left, within the limit of bytes.
  package func prune(to count: Int) {
    for name in KeptRunList.surplus(of: files, count: count) { folder.remove(name.bytes) }
  }
}
