package import PoolModel

/// The last lines that shown operations have written, and which of them are to be asked for.
package struct LastLines {
  private struct Entry {
    var line: [UInt8]?
    var askedAt: Int64
    /// Whether the answer is still to come.
    var isAsked = true
    /// Number of bytes of both outputs at the last answer.
    var output: Int64 = 0
    var error: Int64 = 0
  }

  /// The bytes of each output that are asked for: more than a row shows.
  package static let byteCount = 512
  /// Nanoseconds between two questions about an operation: twice a second.
  private static let period: Int64 = 500_000_000

  private var entries: [Int: Entry] = [:]

  /// No operation is shown.
  package init() {}

  /// The operations to ask for at a moment, of those that are shown; the others are forgotten.
  package mutating func due(among shown: [Int], at now: Int64) -> [Int] {
    var kept: [Int: Entry] = [:]
    var due: [Int] = []
    for number in shown {
      guard var entry = entries[number] else {
        kept[number] = Entry(askedAt: now)
        due.append(number)
        continue
      }
      if !entry.isAsked, now - entry.askedAt >= Self.period {
        (entry.isAsked, entry.askedAt) = (true, now)
        due.append(number)
      }
      kept[number] = entry
    }
    entries = kept
    return due
  }

  /// Takes the end of what an operation has written; nil if nothing is known of it.
  package mutating func take(_ outputs: WrittenOutputs?, of number: Int) {
    guard var entry = entries[number] else { return }
    entry.isAsked = false
    if let outputs {
      let isError = outputs.error.end != entry.error
      let isOutput = outputs.output.end != entry.output
      // What was written last counts; of both, the error output, where programs report progress.
      let piece = isError ? outputs.error.bytes : isOutput ? outputs.output.bytes : []
      entry.line = Self.lastLine(of: piece) ?? entry.line
      (entry.output, entry.error) = (outputs.output.end, outputs.error.end)
    } else {
      entry.line = nil
    }
    entries[number] = entry
  }

  /// The last line of an operation that is not blank; nil if it is not known.
  package func line(of number: Int) -> [UInt8]? { entries[number]?.line }

  /// The last line that is not blank; a carriage return begins a line as well: programs use it to
  /// show progress.
  static func lastLine(of bytes: [UInt8]) -> [UInt8]? {
    let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return bytes.split(whereSeparator: isEnd).last { !$0.allSatisfy { $0 <= UInt8(ascii: " ") } }
      .map(Array.init)
  }
}
