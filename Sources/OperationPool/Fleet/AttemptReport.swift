import PoolSystem
package import PoolWire

/// What is known of one attempt beyond how it ended.
///
/// Most attempts have an answer and nothing else; the rest is kept behind a reference.
package struct AttemptReport: Sendable {
  /// What the worker answered, if it did.
  package let answer: Answer?
  private let rest: Rest?

  private final class Rest: Sendable {
    let rung: String?
    let note: String?
    let word: String?
    let standardOutput: OutputContent
    let standardError: OutputContent
    let death: PoolWorkerDeath?
    let record: SettlementRecord

    init(
      _ rung: String?,
      _ note: String?,
      _ word: String?,
      _ standardOutput: OutputContent,
      _ standardError: OutputContent,
      _ death: PoolWorkerDeath?,
      _ record: SettlementRecord
    ) {
      self.rung = rung
      self.note = note
      self.word = word
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.death = death
      self.record = record
    }
  }

  package init(
    answer: Answer? = nil,
    rung: String? = nil,
    note: String? = nil,
    word: String? = nil,
    standardOutput: OutputContent = .empty,
    standardError: OutputContent = .empty,
    death: PoolWorkerDeath? = nil,
    record: SettlementRecord = SettlementRecord()
  ) {
    self.answer = answer
    let isPlain =
      rung == nil && note == nil && standardOutput.isEmpty && standardError.isEmpty && death == nil
      && record.isEmpty
    rest = isPlain ? nil : Rest(rung, note, word, standardOutput, standardError, death, record)
  }

  /// The rung of the termination ladder that worked, if one was climbed.
  package var rung: String? { rest?.rung }
  /// The rung that worked, where that was the signal which ended the worker.
  package var rungReached: String? {
    guard rung == nil, case .signaled(let signal) = death?.status else { return rung }
    return ProcessSignal(signal).description
  }
  /// Why the operation was not executed, in a sentence.
  package var note: String? { rest?.note }
  /// What the reason is in one word, where neither answer nor settlement says it; with a note.
  var word: String? { rest?.word }
  package var standardOutput: OutputContent { rest?.standardOutput ?? .empty }
  package var standardError: OutputContent { rest?.standardError ?? .empty }
  /// How the worker died, if it did.
  package var death: PoolWorkerDeath? { rest?.death }
  /// What is to be remembered of it; of all attempts, once the operation settles.
  package var record: SettlementRecord { rest?.record ?? SettlementRecord() }

  /// Nobody said anything.
  package static let empty = AttemptReport()

  /// The same, with the first bytes of each output in place of its file.
  var withoutFiles: AttemptReport {
    guard standardOutput.isFile || standardError.isFile else { return self }
    return copy(.inline(standardOutput.prefix), .inline(standardError.prefix), record)
  }

  /// The same, with what was remembered of all attempts.
  func adding(_ record: SettlementRecord) -> AttemptReport {
    copy(standardOutput, standardError, record)
  }

  private func copy(
    _ standardOutput: OutputContent,
    _ standardError: OutputContent,
    _ record: SettlementRecord
  ) -> AttemptReport {
    AttemptReport(
      answer: answer,
      rung: rung,
      note: note,
      word: word,
      standardOutput: standardOutput,
      standardError: standardError,
      death: death,
      record: record
    )
  }
}

/// The output of an execution, ready to be copied.
package enum OutputContent: Sendable {
  case inline([UInt8])
  case file(OutputFile)
  /// It was there, and could not be fetched: why.
  case unavailable(String)

  package static let empty = Self.inline([])

  /// Whether there was nothing to fetch.
  package var isEmpty: Bool {
    guard case .inline(let bytes) = self else { return false }
    return bytes.isEmpty
  }

  /// Whether a descriptor is kept open for it.
  var isFile: Bool {
    guard case .file = self else { return false }
    return true
  }

  /// How many bytes there are.
  package var byteCount: Int64 {
    switch self {
    case .inline(let bytes): Int64(bytes.count)
    case .file(let file): file.byteCount
    case .unavailable: 0
    }
  }
}

/// An open file that nobody else can name; closed with its last reference.
package final class OutputFile: Sendable {
  package let descriptor: Int32
  package let byteCount: Int64

  package init(descriptor: Int32, byteCount: Int64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
  }

  deinit {
    Descriptors.close(descriptor)
  }
}

/// What is remembered of an operation until it settles: little, and of few.
package struct SettlementRecord: Sendable {
  /// The workers that have died under it.
  package var deaths: [PoolWorkerDeath] = []
  /// The steps that were taken to make it end.
  package var rungs: [PoolRungTaken] = []

  package init() {}

  var isEmpty: Bool { deaths.isEmpty && rungs.isEmpty }

  /// Adds what came later.
  mutating func append(_ other: Self) {
    deaths += other.deaths
    rungs += other.rungs
  }
}
