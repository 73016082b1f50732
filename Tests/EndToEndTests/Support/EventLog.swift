import Foundation
import Testing

/// A line of a file of events.
struct EventLine: Decodable {
  var type: String
  var at: Double
  /// The start of the run, in seconds since 1970.
  var startedAt: Double?
  var operation: Int?
  var id: String?
  var dependencies: [Dependency]?
  var group: Int?
  var members: Int?
  var attempt: Int?
  var attempts: Int?
  var worker: Int?
  var started: Double?
  var elapsed: Double?
  var outcome: String?
  var cause: String?
  var exit: Int32?
  var signal: Int32?
  var root: Int?
  var rootOutcome: String?
  var due: Double?
  var reason: String?
  var resumed: Bool?
  var counts: Bool?
  var epoch: Int?
  var run: String?
  var policy: String?
  var manner: String?

  /// What an operation waits for.
  struct Dependency: Decodable {
    var operation: Int
    var requirement: String
  }

  /// What happened in a word, with the operation.
  var word: String { type + (operation.map { " \($0)" } ?? "") }
}

/// The events of one or several runs, in a file.
struct EventLog {
  let lines: [EventLine]

  init(_ bytes: [UInt8]) throws {
    lines = try bytes.split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(EventLine.self, from: Data($0)) }
  }

  func all(_ type: String) -> [EventLine] { lines.filter { $0.type == type } }

  /// The events of each run.
  var runs: [ArraySlice<EventLine>] {
    let starts = lines.indices.filter { lines[$0].type == "runBegan" }
    return zip(starts, starts.dropFirst() + [lines.endIndex]).map { lines[$0..<$1] }
  }

  /// Expects that events come in the order in which things can happen, each as often as it can; of
  /// runs that were killed, not that everything has ended.
  func expectConsistent(isWhole: Bool = true, at location: SourceLocation = #_sourceLocation) {
    #expect(lines.first?.type == "runBegan", sourceLocation: location)
    for run in runs {
      var check = OrderCheck()
      for line in run { check.take(line) }
      if isWhole { check.end() }
      #expect(check.faults == [], sourceLocation: location)
    }
  }
}

/// Follows the events of one run.
private struct OrderCheck {
  private enum Life: Equatable {
    case known
    case executing(attempt: Int, worker: Int)
    case ended(attempt: Int)
    case delayed(attempt: Int)
    case settled
  }

  private var lives: [Int: Life] = [:]
  /// What each living worker executes.
  private var workers: [Int: Int?] = [:]
  private var hasEnded = false
  private var latest = 0.0
  private(set) var faults: [String] = []

  mutating func take(_ line: EventLine) {
    if hasEnded { faults.append("\(line.word) behind the end") }
    if line.at < latest { faults.append("\(line.word) at \(line.at), behind \(latest)") }
    latest = line.at
    switch line.type {
    case "workerGreeted": workers[line.worker ?? 0] = .some(nil)
    case "workerEnded": workers[line.worker ?? 0] = nil
    case "runEnded": hasEnded = true
    case "runBegan", "halted", "steered": break
    default: takeOperation(line)
    }
  }

  private mutating func takeOperation(_ line: EventLine) {
    let number = line.operation ?? 0
    let life = lives[number]
    let attempt = line.attempt ?? 0
    switch (line.type, life) {
    case ("submitted", nil): lives[number] = .known
    case ("started", .known), ("started", .delayed): start(line, number)
    // The worker could not begin it after all.
    case ("started", .executing(attempt, _)): start(line, number)
    case ("attemptEnded", .executing(attempt, _)):
      if let worker = line.worker, workers[worker] != nil { workers[worker] = .some(nil) }
      lives[number] = .ended(attempt: attempt)
      let end = (line.started ?? -1) + (line.elapsed ?? -1)
      if end > line.at + 0.000_002 || line.elapsed ?? -1 < 0 { faults.append("\(line)") }
    case ("retryPlanned", .ended(attempt)): lives[number] = .delayed(attempt: attempt)
    case ("settled", .known): lives[number] = .settled
    case ("settled", .ended(let last)), ("settled", .delayed(let last)):
      if line.attempts != last { faults.append("\(line.word) after \(line.attempts ?? -1)") }
      lives[number] = .settled
    default: faults.append("\(line.word) when it is \(String(describing: life))")
    }
  }

  private mutating func start(_ line: EventLine, _ number: Int) {
    let worker = line.worker ?? 0
    lives[number] = .executing(attempt: line.attempt ?? 0, worker: worker)
    switch workers[worker] {
    case nil: faults.append("\(line.word) on worker \(worker), which is not there")
    case .some(let other?) where other != number:
      faults.append("\(line.word) on worker \(worker), which executes \(other)")
    default: workers[worker] = .some(number)
    }
  }

  mutating func end() {
    if !hasEnded { faults.append("no end") }
    for (number, life) in lives.sorted(by: { $0.key < $1.key }) where life != .settled {
      faults.append("\(number) is \(life)")
    }
    for worker in workers.keys.sorted() { faults.append("worker \(worker) has no end") }
  }
}
