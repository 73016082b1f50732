import PoolAnalysis
import PoolEvents
import PoolModel

/// What the page's script needs: operations, attempts and idle spans in columns.
///
/// Times are whole microseconds. Where columns are long, they have the differences between values
/// that follow each other; the script adds them up.
enum PageData {
  /// What is about operations, which is most of it.
  static func operations(of facts: PageFacts) -> DataWriter {
    var writer = DataWriter()
    writer.field("end", micro(facts.elapsed))
    writer.field("width", facts.analysis.account.width)
    writer.field("lanes", max(facts.analysis.lanes.count, 1))
    appendOperations(facts, to: &writer)
    return writer
  }

  /// Everything else.
  static func rest(of facts: PageFacts) -> DataWriter {
    var writer = DataWriter()
    appendAttempts(facts, to: &writer)
    appendDependencies(facts, to: &writer)
    appendWorkers(facts, to: &writer)
    appendGroups(facts, to: &writer)
    appendIdle(facts, to: &writer)
    appendChain(facts, to: &writer)
    return writer
  }

  private static func micro(_ nanoseconds: Int64) -> Int { Int(nanoseconds / 1_000) }
  private static func micro(_ time: Instant) -> Int { micro(time.nanoseconds) }

  private static func appendOperations(_ facts: PageFacts, to writer: inout DataWriter) {
    let operations = facts.history.operations
    let idLimit = limit(of: operations.count, 1_600_000, 200)
    let places = operations.indices
    writer.similarTexts(
      "ids",
      places.lazy.map { VisibleText.of(facts.history.id(at: $0), limit: idLimit) }
    )
    appendCommands(facts, to: &writer)
    writer.smallColumn("group", facts.groupPlaces)
    writer.smallColumn("ending", places.lazy.map { code(operations[$0].ending) })
    writer.deltas("ready", facts.ready.lazy.map { $0.map { micro($0) } ?? -1 })
    writer.smallColumn("attempts", places.lazy.map { operations[$0].attempts.count })
    var messages = TextTable()
    writer.smallColumn(
      "message",
      places.map { messages.place(of: facts.message(operations[$0].end?.message)) }
    )
    writer.texts("messages", messages.texts)
  }

  /// As much of each command as lets all of them fit, since many differ only a little.
  private static func appendCommands(_ facts: PageFacts, to writer: inout DataWriter) {
    let places = facts.history.operations.indices
    let longest = places.lazy.map { facts.command(at: $0)?.count ?? 0 }.max() ?? 0
    // Of limits that cut nothing off, one is enough.
    var limits = [2_000, 400, 120, 60, 24][...]
    while limits.count > 1, limits[limits.startIndex + 1] >= longest { limits.removeFirst() }
    for limit in limits {
      var attempt = writer
      let fits = attempt.similarTexts(
        "commands",
        places.lazy.map { VisibleText.of(facts.command(at: $0) ?? [], limit: limit) },
        atMost: limit == limits.last ? .max : commandBudget
      )
      guard !fits else {
        writer = attempt
        return
      }
    }
  }

  /// The attempts in the order of their operations.
  private static func appendAttempts(_ facts: PageFacts, to writer: inout DataWriter) {
    let history = facts.history
    let attempts = history.operations.flatMap(\.attempts)
    writer.deltas("start", attempts.lazy.map { micro($0.started) })
    writer.column(
      "duration",
      attempts.lazy.map { micro(($0.finished ?? history.end).nanoseconds - $0.started.nanoseconds) }
        .map { max($0, 0) }
    )
    writer.smallColumn("worker", attempts.lazy.map { $0.workerPlace })
    writer.smallColumn("result", attempts.lazy.map { code($0.ending) })
    writer.column("processor", attempts.lazy.map { $0.processorTime.map { micro($0) } ?? -1 })
    writer.smallColumn("peak", attempts.lazy.map { Int(($0.usage?.peakMemoryBytes ?? 0) >> 20) })
    var reasons = TextTable()
    writer.smallColumn(
      "again",
      attempts.map { reasons.place(of: facts.message($0.retry?.reason)) }
    )
    writer.texts("reasons", reasons.texts)
  }

  /// How many dependencies each operation has, and how far before it each of them is; a group is
  /// told of as nothing, since its members come before.
  private static func appendDependencies(_ facts: PageFacts, to writer: inout DataWriter) {
    let history = facts.history
    let places = history.operations.indices.map { place in
      history.operations[place].submitted.dependencies.compactMap { history.place(of: $0.number) }
    }
    let count = places.reduce(0) { $0 + $1.count }
    guard count <= dependencyLimit else {
      writer.column("needs", [])
      return writer.column("need", [])
    }
    writer.smallColumn("needs", places.lazy.map(\.count))
    writer.smallColumn(
      "need",
      places.enumerated().lazy.flatMap { place, list in list.map { place - $0 } }
    )
  }

  private static func appendWorkers(_ facts: PageFacts, to writer: inout DataWriter) {
    let workers = facts.history.workers
    writer.column("workerID", workers.lazy.map { Int($0.id.rawValue) })
    writer.column("lane", workers.indices.lazy.map { facts.analysis.lanes[$0] })
    writer.column("gone", workers.lazy.map { $0.isDeath ? $0.ended.map { micro($0) } ?? -1 : -1 })
  }

  private static func appendGroups(_ facts: PageFacts, to writer: inout DataWriter) {
    writer.texts(
      "groups",
      facts.analysis.groups.indices.lazy.map { VisibleText.of(facts.name(ofGroup: $0), limit: 80) }
    )
    writer.column(
      "medians",
      facts.analysis.groups.lazy.map { $0.durations.map { micro($0.median) } ?? -1 }
    )
    writer.column("byTime", facts.groupsByTime)
  }

  /// The spans of each lane in the order of time: how long after the one before, and how long.
  private static func appendIdle(_ facts: PageFacts, to writer: inout DataWriter) {
    let spans = longest(facts.analysis.account.idle)
    let byLane = Dictionary(grouping: spans, by: \.lane)
    let laneCount = max((byLane.keys.max() ?? 0) + 1, facts.analysis.lanes.count)
    let lists = (0..<laneCount).map { byLane[$0] ?? [] }
    writer.column("idle", lists.lazy.map(\.count))
    writer.column("idleGap", lists.lazy.flatMap { gaps(in: $0) })
    writer.column("idleTime", lists.lazy.joined().map { micro($0.end) - micro($0.start) })
    var uses: [SlotUse] = []
    let column = lists.lazy.joined().map { span -> Int in
      if let place = uses.firstIndex(of: span.reason) { return place }
      uses.append(span.reason)
      return uses.count - 1
    }
    writer.column("idleUse", Array(column))
    writer.texts("uses", uses.map { VisibleText.of(Array(ReportWording.use($0).utf8), limit: 120) })
    writer.texts("useStyles", uses.map { Array("\($0.styleName)".utf8) })
  }

  /// The spans but for the shortest ones, if there are more than a page needs.
  private static func longest(_ spans: [IdleSpan]) -> [IdleSpan] {
    guard spans.count > idleLimit else { return spans }
    let lengths = spans.map { $0.end.nanoseconds - $0.start.nanoseconds }.sorted(by: >)
    let least = lengths[idleLimit]
    return spans.filter { $0.end.nanoseconds - $0.start.nanoseconds > least }
  }

  private static func gaps(in spans: [IdleSpan]) -> [Int] {
    var last = 0
    return spans.map { span in
      defer { last = micro(span.end) }
      return micro(span.start) - last
    }
  }

  private static func appendChain(_ facts: PageFacts, to writer: inout DataWriter) {
    let chain = facts.analysis.chain
    writer.deltas("chain", chain.lazy.map(\.operation))
    writer.column("chainAttempt", chain.lazy.map(\.attempt))
    let reasons = chain.map { ReportWording.reason($0.reason) }
    var table = TextTable()
    writer.column("chainReason", reasons.map { table.place(of: $0) })
    writer.texts("chainReasons", table.texts)
  }

  /// What is no ending is the number behind all endings.
  private static func code(_ ending: PoolEnding?) -> Int {
    ending.map { Int($0.rawValue) } ?? PoolEnding.allCases.count
  }

  /// How many bytes each of some texts may have if all of them have no more than the budget.
  private static func limit(of count: Int, _ budget: Int, _ most: Int) -> Int {
    min(max(budget / max(count, 1), 24), most)
  }

  private static let commandBudget = 1_700_000
  private static let dependencyLimit = 300_000
  private static let idleLimit = 40_000
}

/// Texts, each of them once; place 0 is that of the empty text.
private struct TextTable {
  private var places: [String: Int] = ["": 0]
  private(set) var texts: [[UInt8]] = [[]]

  mutating func place(of text: String) -> Int {
    if text.isEmpty { return 0 }
    if let place = places[text] { return place }
    // Messages that all differ would make the page as large as the records.
    guard texts.count < 5_000 else { return 0 }
    places[text] = texts.count
    texts.append(VisibleText.of(Array(text.utf8), limit: 400))
    return texts.count - 1
  }
}
