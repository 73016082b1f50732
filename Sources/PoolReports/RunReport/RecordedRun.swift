package import PoolAnalysis
import PoolEvents
import PoolJournal
import PoolModel
import PoolSystem
import PoolWire

/// The last run of a file of records: a journal, or the events of a run.
package struct RecordedRun {
  package private(set) var history = RunHistory()
  /// How many runs the file has.
  package private(set) var count = 0
  /// What is wrong with parts of the file, for people; those parts are left out.
  package private(set) var findings: [String] = []
  private let isJournal: Bool

  /// Reads a file; throws if it is neither, or cannot be read.
  package init(path: [UInt8]) throws(RecordedRunError) {
    let bytes: [UInt8]
    do throws(SystemFailure) {
      let descriptor = try DurableFile.openToRead(path: path)
      defer { Descriptors.close(descriptor) }
      bytes = try SystemIO.readAll(descriptor)
    } catch {
      throw RecordedRunError(.unreadable, error.reason)
    }
    // A journal begins with its name.
    isJournal = bytes.first { $0 > 32 } != UInt8(ascii: "{")
    if isJournal { try readJournal(bytes) } else { readEvents(bytes) }
    if count == 0 {
      let fault = findings.first.map { ": \($0)" } ?? ""
      throw RecordedRunError(.foreign, Self.foreign + fault)
    }
  }

  private static let foreign = "it is neither a journal nor the events of a run"

  /// The findings for people: not all, if there are thousands.
  package var namedFindings: [String] {
    let limit = 20
    let rest = findings.count - limit
    return Array(findings.prefix(limit)) + (rest > 0 ? ["… and \(rest) more"] : [])
  }

  private mutating func take(_ record: RunRecord, at time: Instant) {
    if case .runBegan = record {
      history = RunHistory(isDescribedLate: isJournal)
      count += 1
    }
    history.take(record, at: time)
  }

  /// A run that was killed leaves half a line at the end.
  private mutating func readEvents(_ bytes: [UInt8]) {
    let pieces = EventPiece.ranges(in: bytes, atMost: Processors.available)
    var number = 0
    for piece in AtOnce().map(pieces, { EventPiece(bytes[$0]) }) {
      for line in piece.lines { take(line.record, at: line.time) }
      findings += piece.faults.map { "line \(number + $0.line) is no record: \($0.reason)" }
      number += piece.count
    }
  }

  private mutating func readJournal(_ bytes: [UInt8]) throws(RecordedRunError) {
    do throws(JournalError) {
      var keys = JournalReplay.Keys()
      let scan = try JournalScan(bytes) { keys.note($0.record) }
      findings += scan.findings
      var records: [(RunRecord, Instant)] = []
      var replay = JournalReplay(keys)
      _ = try JournalScan(bytes) { entry in
        replay.take(entry.record, body: { Array(bytes[entry.body]) }) { records.append(($0, $1)) }
      }
      replay.finish { records.append(($0, $1)) }
      for (record, time) in records { take(record, at: time) }
    } catch {
      let isForeign = error.code == .notJournal
      throw RecordedRunError(.foreign, isForeign ? Self.foreign : error.message)
    }
  }
}

/// Why no run could be read from a file.
package struct RecordedRunError: Error {
  package enum Code {
    /// The system does not let it be read.
    case unreadable
    /// Its content is not that of a run.
    case foreign
  }

  package let code: Code
  package let message: String

  init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
  }
}
