import PoolModel
import PoolText

/// The name of the socket by which a run is asked: its process, and when it began.
///
/// The time tells a dead process from a later one with the same number.
package struct RunSocketName: Hashable, Sendable {
  package let process: Int32
  /// Nanoseconds from 1970 to the beginning of the run.
  package let start: Int64

  private static let ending = Array(".sock".utf8)

  package init(process: Int32, start: Int64) {
    (self.process, self.start) = (process, start)
  }

  /// Reads a name; nil for that of another file.
  package init?(_ name: [UInt8]) {
    guard name.count > Self.ending.count, name.suffix(Self.ending.count).elementsEqual(Self.ending)
    else { return nil }
    let parts = name.dropLast(Self.ending.count).split(
      separator: UInt8(ascii: "-"),
      omittingEmptySubsequences: false
    )
    guard parts.count == 2, let process = DecimalParser.integer(parts[0]),
      let number = Int32(exactly: process), number > 0, let millis = DecimalParser.integer(parts[1])
    else { return nil }
    self.init(process: number, start: Int64(millis).saturatingProduct(1_000_000))
  }

  package var bytes: [UInt8] { Array("\(process)-\(start / 1_000_000)".utf8) + Self.ending }
}
