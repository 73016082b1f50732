/// The runs that are kept of a user.
package enum KeptRunList {
  /// The environment variable that says how many runs are kept.
  package static let variable = "OPOOL_KEEP_RUNS"
  /// How many runs are kept, and bytes of all of them: 50 MB.
  package static let countLimit = 10
  package static let byteLimit: Int64 = 50_000_000

  /// The files to be removed, so that the newest ones stay within the limits.
  package static func surplus(
    of files: [(name: RunFileName, size: Int64)],
    count: Int = countLimit,
    bytes: Int64 = byteLimit
  ) -> [RunFileName] {
    var (count, bytes) = (count, bytes)
    return files.sorted { $1.name < $0.name }.compactMap { file in
      (count, bytes) = (count - 1, bytes - file.size)
      return count < 0 || bytes < 0 ? file.name : nil
    }
  }
}
