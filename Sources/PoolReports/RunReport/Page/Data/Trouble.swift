import PoolAnalysis
import PoolEvents
import PoolModel

/// What went wrong in a run without being an operation's failure, by its reason.
struct Trouble {
  /// Attempts that others followed, for the same reason.
  struct Retries {
    let reason: String
    var count = 0
    /// Nanoseconds of those attempts.
    var time: Int64 = 0
    /// The places of their operations, without those that follow each other twice.
    var operations: [Int] = []
  }

  /// Workers that ended otherwise than by the end of the run.
  struct Deaths {
    let message: String
    var workers: [Int]
  }

  private(set) var retries: [Retries] = []
  private(set) var deaths: [Deaths] = []
  /// The places of the operations that had an attempt which took longer than allowed.
  private(set) var timeouts: [Int] = []

  /// Collects it, the most frequent first; time is linear in attempts and workers.
  init(_ facts: PageFacts) {
    var places: [String: Int] = [:]
    for (place, operation) in facts.history.operations.enumerated() {
      addAttempts(of: operation, at: place, facts, &places)
    }
    retries.sort { ($1.count, $0.reason) < ($0.count, $1.reason) }
    addDeaths(facts)
  }

  var isEmpty: Bool { retries.isEmpty && deaths.isEmpty && timeouts.isEmpty }

  /// The median of the attempts in an operation's group, if there are some without timeouts.
  func typical(inGroupOf place: Int, _ facts: PageFacts) -> Int64? {
    let group = facts.analysis.groups[facts.groupPlaces[place]]
    let succeeded = group.members.lazy.filter { facts.history.operations[$0].ending == .succeeded }
    return Distribution(
      succeeded.compactMap { facts.history.operations[$0].attempts.last?.duration }
    )?
    .median
  }

  private mutating func addAttempts(
    of operation: HistoricOperation,
    at place: Int,
    _ facts: PageFacts,
    _ places: inout [String: Int]
  ) {
    for (index, attempt) in operation.attempts.enumerated() {
      if attempt.ending == .timedOut, timeouts.last != place { timeouts.append(place) }
      guard index < operation.attempts.count - 1 || attempt.retry != nil else { continue }
      let said = facts.message(attempt.retry?.reason ?? attempt.message)
      let reason = said.isEmpty ? attempt.cause?.rawValue ?? "unknown reason" : said
      let retry = places[reason] ?? retries.count
      if retry == retries.count {
        places[reason] = retry
        retries.append(Retries(reason: reason))
      }
      retries[retry].count += 1
      retries[retry].time = retries[retry].time.saturatingSum(attempt.duration)
      if retries[retry].operations.last != place { retries[retry].operations.append(place) }
    }
  }

  private mutating func addDeaths(_ facts: PageFacts) {
    var places: [String: Int] = [:]
    for worker in facts.history.workers where worker.isDeath {
      let said = facts.message(worker.message)
      let message = said.isEmpty ? worker.manner ?? "unknown" : said
      if let place = places[message] {
        deaths[place].workers.append(Int(worker.id.rawValue))
      } else {
        places[message] = deaths.count
        deaths.append(
          Deaths(message: message, workers: [Int(worker.id.rawValue)])
        )
      }
    }
    deaths.sort { ($1.workers.count, $0.message) < ($0.workers.count, $1.message) }
  }
}

extension HistoricWorker {
  /// Whether it ended otherwise than by its own exit with the run.
  var isDeath: Bool { ended != nil && !(manner == "exit" && message == "exited with code 0") }
}
