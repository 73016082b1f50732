import PoolEvents
import PoolJournal
import PoolModel
import PoolWire

/// Tells lines of a journal's operations from others.
package struct OwnLines {
  private let run: [UInt8]
  private let logged: Set<[UInt8]>

  /// Knows the lines of a journal's run, and those of the job log for outcomes that it still keeps.
  package init(of journal: RunJournal) {
    run = journal.runIdentifier
    logged = Set(journal.unloggedEnds.map { Self.signature(of: JobLogLine($0.record)) })
  }

  /// Whether a line of results, without its end, is of the run.
  func hasResult(_ line: [UInt8]) -> Bool {
    (try? line.withUnsafeBytes { try Self.run(of: $0) }) == run
  }

  /// Whether a line of a job log, without its end, is that of an outcome.
  func hasLog(_ line: [UInt8]) -> Bool {
    line == JobLogLine.header.dropLast() || logged.contains(Self.signature(of: line))
  }

  private static func run(of line: UnsafeRawBufferPointer) throws(JSONError) -> [UInt8]? {
    var scanner = JSONScanner(line)
    var isFirst = true
    var run: [UInt8]?
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      if scanner.matches(key, "run") {
        run = scanner.content(of: try scanner.scanString())
      } else {
        _ = try scanner.skipValue()
      }
    }
    try scanner.expectEnd()
    return run
  }

  private static func signature(of line: JobLogLine) -> [UInt8] {
    var text: [UInt8] = []
    line.append(to: &text)
    return signature(of: text)
  }

  /// The columns that the journal knows: all but the number, which changes with the manifest, what
  /// was sent, and the command.
  private static func signature(of line: [UInt8]) -> [UInt8] {
    let columns = line.split(separator: 9, maxSplits: 8, omittingEmptySubsequences: false)
    guard columns.count == 9 else { return [] }
    return Array([1, 2, 3, 5, 6, 7].map { columns[$0] }.joined(separator: [9]))
  }
}

extension JobLogLine {
  /// The line of an outcome, without number and command.
  init(_ record: EndRecord) {
    self.init(
      sequence: 0,
      start: record.earlier?.start ?? 0,
      duration: record.executionTime ?? 0,
      sentCount: 0,
      receivedCount: record.outputByteCount,
      status: JobLogStatus(
        record.ending,
        cause: record.cause,
        exit: record.exit,
        signal: record.signal
      ),
      command: []
    )
  }
}
