import PoolModel
import PoolSystem
import PoolWire

/// Questions about what commands have written, and the gatherer that answers them.
struct TailQuestions {
  typealias Question = @Sendable (OutputGatherer) -> Void

  /// Gathers the outputs of all commands; nil before the first.
  private var gatherer: OutputGatherer?
  /// Questions about the first command that came before the gatherer.
  private var early: [Question] = []

  /// Maximum number of early questions: the coordinator asks again.
  private static let limit = 16

  /// Returns the gatherer that answers the question; keeps the question if there is none yet.
  mutating func ask(_ question: @escaping Question) -> OutputGatherer? {
    if gatherer == nil, early.count < Self.limit { early.append(question) }
    return gatherer
  }

  /// From here on there is a gatherer; returns the questions for it.
  mutating func begin(with gatherer: OutputGatherer) -> [Question] {
    defer { early = [] }
    self.gatherer = gatherer
    return early
  }
}

extension CoordinatorConnection {
  /// Says what an executing command has written so far: the thread that gathers it does.
  func tail(_ reference: DispatchReference, _ request: TailRequest) {
    guard shared.withLock({ $0.machine.executing == reference }) else { return }
    let question: TailQuestions.Question = { [self] gatherer in
      guard shared.withLock({ $0.machine.executing == reference }) else { return }
      report(.written(reference, gatherer.written(request)), of: reference)
    }
    tails.withLock { $0.ask(question) }?.ask(question)
  }

  /// Answers questions with this gatherer, also those that came before it.
  func answerTails(with gatherer: OutputGatherer) {
    for question in tails.withLock({ $0.begin(with: gatherer) }) { gatherer.ask(question) }
  }
}
