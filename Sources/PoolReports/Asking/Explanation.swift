package import PoolModel
import PoolText
import PoolWire

/// Why an operation of a run does not execute, or what it came to.
package struct Explanation: Hashable, Sendable {
  /// An operation that another one waits for.
  package struct Other: Hashable, Sendable {
    /// UTF-8.
    package var id: [UInt8]
    /// Nanoseconds for which it has been executing; nil if it does not.
    package var executing: Int64?

    package init(_ id: [UInt8], executing: Int64?) {
      (self.id, self.executing) = (id, executing)
    }
  }

  /// What an operation waits for, or what has become of it.
  package enum Standing: Hashable, Sendable {
    /// It has ended; nil where the run does not know any more how.
    case ended(PoolEnding?)
    /// It executes on a worker, for so many nanoseconds.
    case executing(WorkerID, Int64)
    /// It is tried again in so many nanoseconds.
    case delayed(Int64)
    /// It waits for these, and for so many others.
    case dependencies([Other], more: Int)
    /// It waits for a barrier before it, or, as one, for everything before it: such as this.
    case barrier(isOwn: Bool, Other)
    /// It waits for units of a resource that these hold.
    case limit([UInt8], units: Int, [Other])
    /// The run dispatches nothing, for this reason.
    case paused(String)
    /// It waits for so many slots, or for its turn.
    case slot(count: Int, busy: Int)
  }

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
    case .ended(let ending): return ["\(name): \(ending.map(ReportWording.ending) ?? "ended")"]
    case .executing(let worker, let time):
      return ["\(name): executes on worker \(worker) for \(DurationFormat.clock(time))"]
    case .delayed(let time):
      return ["\(name): waits to be tried again, in \(DurationFormat.clock(time))"]
    case .dependencies(let others, let more):
      let count = others.count + more
      let noun = count == 1 ? "a dependency" : "\(count) dependencies"
      let rest = more > 0 ? ["  … and \(more) more"] : []
      return ["\(name): waits for \(noun):"] + others.map { "  \($0.text)" } + rest
    case .barrier(let isOwn, let other):
      let what =
        isOwn ? "is a barrier, and waits for what is before it, such as" : "waits for a barrier:"
      return ["\(name): \(what)", "  \(other.text)"]
    case .limit(let resource, let units, let holders):
      let limit = "limit '\(Printable.name(resource))' (\(Plural.of(units, "unit")))"
      return ["\(name): is ready, and waits for \(limit), which these hold:"]
        + holders.map { "  \($0.text)" }
    case .paused(let reason): return ["\(name): is ready, and the run starts nothing: \(reason)"]
    case .slot(let count, let busy):
      let slots = count == 1 ? "a slot" : "\(count) free slots"
      return ["\(name): is ready, and waits for \(slots); \(busy) executing"]
    }
  }

  /// The explanation as a report.
  package var json: [UInt8] {
    JSONReport.line("explanation") { writer in
      writer.key("id")
      writer.string(id)
      append(to: &writer)
    }
  }

  private func append(to writer: inout JSONWriter) {
    switch standing {
    case .ended(let ending):
      writer.field("state", "ended")
      writer.optional("outcome", ending) { $0.string($1.name) }
    case .executing(let worker, let time):
      writer.field("state", "executing")
      writer.field("worker", worker.rawValue)
      writer.key("elapsed")
      writer.seconds(time)
    case .delayed(let time):
      writer.field("state", "delayed")
      writer.key("due")
      writer.seconds(time)
    case .dependencies(let others, let more):
      writer.field("state", "waiting")
      writer.field("for", "dependencies")
      writer.field("count", others.count + more)
      Self.append(others, to: &writer)
    case .barrier(_, let other):
      writer.field("state", "waiting")
      writer.field("for", "barrier")
      Self.append([other], to: &writer)
    case .limit(let resource, let units, let holders):
      writer.field("state", "ready")
      writer.field("for", "limit")
      writer.key("limit")
      writer.string(resource)
      writer.field("units", units)
      Self.append(holders, to: &writer)
    case .paused(let reason):
      writer.field("state", "ready")
      writer.field("for", "pause")
      writer.key("reason")
      writer.string(reason)
    case .slot(let count, let busy):
      writer.field("state", "ready")
      writer.field("for", "slot")
      writer.field("slots", count)
      writer.field("executing", busy)
    }
  }

  private static func append(_ others: [Other], to writer: inout JSONWriter) {
    writer.key("operations")
    writer.objects(others) { writer, other in
      writer.key("id")
      writer.string(other.id)
      writer.optional("elapsed", other.executing) { $0.seconds($1) }
    }
  }
}

extension Explanation.Other {
  fileprivate var text: String {
    let name = Printable.name(id)
    return executing.map { "\(name), executing for \(DurationFormat.clock($0))" } ?? name
  }
}
