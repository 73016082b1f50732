import PoolModel
import PoolText

/// The name of a file with the records of a run: when the run began, and its process.
package struct KeptRunName: Hashable, Comparable, Sendable {
  /// Nanoseconds from 1970 to the beginning of the run.
  package let start: Int64
  package let process: Int32

  private static let ending = Array(".jsonl".utf8)

  package init(start: Int64, process: Int32) {
    (self.start, self.process) = (start, process)
  }

  /// Reads a name; nil for that of another file.
  package init?(_ name: [UInt8]) {
    guard name.count > Self.ending.count, name.suffix(Self.ending.count).elementsEqual(Self.ending)
    else { return nil }
    let parts = name.dropLast(Self.ending.count).split(
      separator: UInt8(ascii: "-"),
      omittingEmptySubsequences: false
    )
    guard parts.count == 2, let millis = DecimalParser.integer(Array(parts[0])),
      let process = DecimalParser.integer(Array(parts[1])), process <= Int(Int32.max)
    else { return nil }
    self.init(
      start: Int64(millis).saturatingProduct(1_000_000),
      process: Int32(process)
    )
  }

  /// The name as bytes.
  package var bytes: [UInt8] {
    Array("\(start / 1_000_000)-\(process)".utf8) + Self.ending
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.start, left.process) < (right.start, right.process)
  }
}

/// The runs that are kept of a user.
package enum KeptRunList {
  /// The environment variable that says how many runs are kept.
  package static let variable = "OPOOL_KEEP_RUNS"
  /// How many runs are kept, and bytes of all of them: 50 MB.
  package static let countLimit = 10
  package static let byteLimit: Int64 = 50_000_000

  /// The files to be removed, so that the newest ones stay within the limits.
  package static func surplus(
    of files: [(name: KeptRunName, size: Int64)],
    count: Int = countLimit,
    bytes: Int64 = byteLimit
  ) -> [KeptRunName] {
    var (count, bytes) = (count, bytes)
    return files.sorted { $1.name < $0.name }.compactMap { file in
      (count, bytes) = (count - 1, bytes - file.size)
      return count < 0 || bytes < 0 ? file.name : nil
    }
  }
}
