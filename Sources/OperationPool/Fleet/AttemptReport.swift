package import PoolModel
import PoolSystem
package import PoolWire

/// What is known of one attempt beyond how it ended.
///
/// Most attempts have an answer and nothing else; the rest is kept behind a second reference.
package final class AttemptReport: Sendable {
  /// What the worker answered, if it did.
  package let answer: Answer?
  private let rest: Rest?

  private final class Rest: Sendable {
    let rung: String?
    let note: String?
    let word: String?
    let standardOutput: OutputContent
    let standardError: OutputContent
    let death: WorkerDeath?
    let deaths: [WorkerDeath]

    init(
      _ rung: String?,
      _ note: String?,
      _ word: String?,
      _ standardOutput: OutputContent,
      _ standardError: OutputContent,
      _ death: WorkerDeath?,
      _ deaths: [WorkerDeath]
    ) {
      self.rung = rung
      self.note = note
      self.word = word
      self.standardOutput = standardOutput
      self.standardError = standardError
      self.death = death
      self.deaths = deaths
    }
  }

  package init(
    answer: Answer? = nil,
    rung: String? = nil,
    note: String? = nil,
    word: String? = nil,
    standardOutput: OutputContent = .empty,
    standardError: OutputContent = .empty,
    death: WorkerDeath? = nil,
    deaths: [WorkerDeath] = []
  ) {
    self.answer = answer
    let isPlain =
      rung == nil && note == nil && standardOutput.isEmpty && standardError.isEmpty && death == nil
      && deaths.isEmpty
    rest = isPlain ? nil : Rest(rung, note, word, standardOutput, standardError, death, deaths)
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
  package var death: WorkerDeath? { rest?.death }
  /// All workers that have died under the operation, in whatever attempt; known when it settles.
  package var deaths: [WorkerDeath] { rest?.deaths ?? [] }

  /// Nobody said anything.
  package static let empty = AttemptReport()

  /// The same, with the first bytes of each output in place of its file.
  var withoutFiles: AttemptReport {
    guard standardOutput.isFile || standardError.isFile else { return self }
    return copy(.inline(standardOutput.prefix), .inline(standardError.prefix), deaths)
  }

  /// The same, with all workers that have died under the operation.
  func adding(_ deaths: [WorkerDeath]) -> AttemptReport {
    copy(standardOutput, standardError, deaths)
  }

  private func copy(
    _ standardOutput: OutputContent,
    _ standardError: OutputContent,
    _ deaths: [WorkerDeath]
  ) -> AttemptReport {
    AttemptReport(
      answer: answer,
      rung: rung,
      note: note,
      word: word,
      standardOutput: standardOutput,
      standardError: standardError,
      death: death,
      deaths: deaths
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

/// How a worker came to its end.
package struct WorkerDeath: Hashable, Sendable {
  package var worker: WorkerID
  /// Nil where it could not be started.
  package var pid: Int32?
  package var status: PoolExitStatus?
  /// Why it could not be started.
  package var spawnFailure: String?
  /// What it did that the protocol forbids.
  package var violation: String?
  /// The last of what it wrote to its standard error.
  package var errorTail: [UInt8]
}

extension WorkerDeath: CustomStringConvertible {
  /// A sentence such as `worker 3 (pid 712) was ended by signal 9`.
  package var description: String {
    if let spawnFailure { return "worker \(worker) could not be started: \(spawnFailure)" }
    let name = "worker \(worker)" + (pid.map { " (pid \($0))" } ?? "")
    guard let violation else { return "\(name) \(statusText)" }
    // SIGKILL is the pool's own answer to a violation.
    if status == nil || status == .signaled(9) { return "\(name) \(violation)" }
    return "\(name) \(violation), and \(statusText)"
  }

  private var statusText: String {
    switch status {
    case .exited(let code): "exited with code \(code)"
    case .signaled(let signal): "was ended by signal \(signal)"
    case nil: "is gone"
    }
  }
}
