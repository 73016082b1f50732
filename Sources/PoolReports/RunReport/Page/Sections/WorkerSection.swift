import PoolAnalysis
import PoolModel

/// The workers, and what each of them did.
enum WorkerSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let workers = facts.history.workers
    writer.section("workers", "Workers") { writer in
      let work = Self.work(of: facts.history)
      let columns = [
        "#worker", "#slot", "#process", "#attempts", "#executing", "#of its time", "in the run",
        "end",
      ]
      writer.table("Workers", columns) { writer in
        for place in workers.indices.prefix(rowLimit) {
          writer.element("tr") { append(place, work[place], facts, to: &$0) }
        }
      }
      if workers.count > rowLimit {
        writer.element("p class=\"note\"", "\(workers.count - rowLimit) more workers")
      }
    }
  }

  /// What a worker executed.
  private struct Work {
    var attempts = 0
    var time: Int64 = 0
    var first = Instant.distantFuture
    var last = Instant.zero
  }

  private static func work(of history: RunHistory) -> [Work] {
    var work = [Work](repeating: Work(), count: history.workers.count)
    for operation in history.operations.indices {
      let attempts = history.operations[operation].attempts
      for number in attempts.indices {
        let place = attempts[number].workerPlace
        work[place].attempts += 1
        work[place].time += attempts[number].duration
        work[place].first = min(work[place].first, attempts[number].started)
        work[place].last = max(work[place].last, attempts[number].finished ?? history.end)
      }
    }
    return work
  }

  private static func append(
    _ place: Int,
    _ work: Work,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    let worker = facts.history.workers[place]
    let start = min(worker.greeted ?? work.first, work.first)
    let end = max(worker.ended ?? facts.history.end, work.last)
    let life = max(end.nanoseconds - min(start, end).nanoseconds, 1)
    writer.number("\(worker.id.rawValue)")
    writer.number("\(facts.analysis.lanes[place] + 1)")
    writer.number(worker.process.map { "\($0)" } ?? "–")
    writer.number("\(work.attempts)")
    writer.number(ReportWording.duration(work.time))
    writer.number(ReportWording.share(min(Double(work.time) / Double(life), 1)))
    writer.element("td class=\"span\"") { writer in
      let style: StaticString = worker.isDeath ? "f-unsuccessful" : "f-succeeded"
      writer.span(facts.position(min(start, end)), facts.position(end), style)
    }
    writer.element("td") { writer in
      let message = facts.message(worker.message)
      writer.text(Array((message.isEmpty ? worker.manner ?? "–" : message).utf8), limit: 200)
    }
  }

  private static let rowLimit = 100
}
