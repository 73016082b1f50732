import PoolModel
import PoolText

/// The name of a file that belongs to a run: when the run began, its process, and what it is.
///
/// The time tells a dead process from a later one with the same number.
package struct RunFileName: Hashable, Comparable, Sendable {
  /// What a file is, as the ending of its name.
  package enum Ending: String, Sendable {
    /// The records of a run.
    case records = ".jsonl"
    /// The socket by which a run is asked.
    case socket = ".sock"
  }

  /// Milliseconds from 1970 to the beginning of the run.
  package let start: Int64
  package let process: Int32
  private let ending: Ending

  /// The file of a run that began so many nanoseconds after 1970.
  package init(_ ending: Ending, start: Int64, process: Int32) {
    (self.ending, self.start, self.process) = (ending, start / 1_000_000, process)
  }

  /// Reads a name; nil for that of another file.
  package init?(_ ending: Ending, _ name: [UInt8]) {
    let suffix = Array(ending.rawValue.utf8)
    guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else {
      return nil
    }
    let parts = name.dropLast(suffix.count).split(
      separator: UInt8(ascii: "-"),
      omittingEmptySubsequences: false
    )
    guard parts.count == 2, let start = DecimalParser.integer(parts[0]),
      let number = DecimalParser.integer(parts[1]), let process = Int32(exactly: number),
      process > 0
    else { return nil }
    (self.ending, self.start, self.process) = (ending, Int64(start), process)
  }

  /// The name.
  package var bytes: [UInt8] { Array("\(start)-\(process)\(ending.rawValue)".utf8) }

  /// The earlier run comes first.
  package static func < (left: Self, right: Self) -> Bool {
    (left.start, left.process) < (right.start, right.process)
  }
}
