import PoolModel
import PoolText

/// Why an operation does not execute, or what it came to, in words.
package struct Explanation: Hashable, Sendable {
  /// UTF-8.
  package var id: [UInt8]
  package var standing: Standing

  package init(_ id: [UInt8], _ standing: Standing) {
    (self.id, self.standing) = (id, standing)
  }

  /// The lines for people.
  package var lines: [String] {
    let name = Printable.name(id)
    switch standing {
    case .ended(let ending, let reason):
      let cause = reason.map { ": \(Printable.text($0))" } ?? ""
      return ["\(name): \(ending.map(ReportWording.ending) ?? "ended")\(cause)"]
    case .executing(let worker, let time):
      return ["\(name): executes on worker \(worker) for \(DurationFormat.clock(time))"]
    case .ending(let worker, let time, let end):
      let cause = end.ending == .timedOut ? "has timed out" : "is cancelled"
      return [
        "\(name): \(cause), and is being ended \(end.words);"
          + " worker \(worker) has executed it for \(DurationFormat.clock(time))"
      ]
    case .delayed(let time):
      return ["\(name): waits to be tried again, in \(DurationFormat.clock(time))"]
    case .dependencies(let others, let more):
      let count = others.count + more
      let noun = count == 1 ? "a dependency" : "\(count) dependencies"
      return ["\(name): waits for \(noun):"] + Self.rows(others, more: more)
    case .barrier(let isOwn, let other):
      let what =
        isOwn ? "is a barrier, and waits for what is before it, such as" : "waits for a barrier:"
      return ["\(name): \(what)", "  \(other.text)"]
    case .limit(let resource, let units, let holders):
      return limit(name, resource, units, holders)
    case .paused(let place, let reason):
      return ["\(name): is ready, and \(place.rawValue) starts nothing: \(reason)"]
    case .heldBack(let reason): return ["\(name): is ready, and is not started: \(reason)"]
    case .slot(let count, let busy, let turn):
      let slots = count == 1 ? "a slot" : "\(count) free slots"
      let facts = ["\(busy) executing"] + (turn.map(Self.words(of:)) ?? [])
      return ["\(name): is ready, and waits for \(slots); \(facts.joined(separator: ", "))"]
    case .held(let hold): return lines(name, hold)
    }
  }

  private func limit(
    _ name: String,
    _ resource: ResourceName,
    _ units: Int,
    _ holders: [Standing.Other]
  ) -> [String] {
    let count = resource.source == .exclusive ? "" : " (\(Plural.of(units, "unit")))"
    let words = "\(resource.word) '\(Printable.name(resource.text))'"
    let start = "\(name): is ready, and waits for \(words)\(count)"
    guard units > 0 else { return [start] }
    let verb = resource.source == .exclusive ? "this holds" : "these hold"
    return ["\(start), which \(verb):"] + Self.rows(holders)
  }

  private func lines(_ name: String, _ hold: Standing.Hold) -> [String] {
    switch hold {
    case .outside: return ["\(name): is in no queue"]
    case .members(let others, let more):
      let count = others.count + more
      guard count > 0 else { return ["\(name): is a group without unfinished members"] }
      return ["\(name): waits for \(Plural.of(count, "member")):"] + Self.rows(others, more: more)
    case .handedOver(let worker):
      return ["\(name): worker \(worker) has it, and has not begun it"]
    case .gates(let count):
      return ["\(name): waits for \(count == 1 ? "a gate" : "\(count) gates") to be opened"]
    case .group(let group): return ["\(name): waits for its group to begin:", "  \(group.text)"]
    case .preparation: return ["\(name): its conditions or its input are evaluated"]
    case .worker(let kind):
      let kind = Printable.name(Array(kind.utf8))
      return ["\(name): is ready, and waits for a worker that serves '\(kind)' to start"]
    }
  }

  private static func words(of turn: Standing.Turn) -> [String] {
    let place = turn.ahead == 0 ? "first in the queue" : "\(turn.ahead) before it in the queue"
    return [place] + (turn.start.map { ["expected to start in \(DurationFormat.clock($0))"] } ?? [])
  }

  private static func rows(_ others: [Standing.Other], more: Int = 0) -> [String] {
    others.map { "  \($0.text)" } + (more > 0 ? ["  … and \(more) more"] : [])
  }
}

extension Standing.Other {
  fileprivate var text: String {
    let name = Printable.name(id)
    return executing.map { "\(name), executing for \(DurationFormat.clock($0))" } ?? name
  }
}
