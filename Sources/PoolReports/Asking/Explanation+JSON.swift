package import PoolAnalysis
import PoolModel
import PoolWire

extension Explanation {
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
    case .ended(let ending, _):
      writer.field("state", "ended")
      writer.optional("outcome", ending) { $0.string($1.name) }
    case .executing(let worker, let time):
      writer.field("state", "executing")
      writer.field("worker", worker.rawValue)
      writer.key("elapsed")
      writer.seconds(time)
    case .ending(let worker, let time, let end):
      writer.field("state", "ending")
      writer.field("worker", worker.rawValue)
      writer.key("elapsed")
      writer.seconds(time)
      writer.key("ending")
      end.append(to: &writer)
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
      writer.field("for", resource.word)
      writer.key(resource.word)
      writer.string(resource.text)
      writer.field("units", units)
      Self.append(holders, to: &writer)
    case .paused(_, let reason):
      writer.field("state", "ready")
      writer.field("for", "pause")
      writer.key("reason")
      writer.string(reason)
    case .heldBack(let reason):
      writer.field("state", "ready")
      writer.field("for", "start")
      writer.key("reason")
      writer.string(reason)
    case .slot(let count, let busy, let turn):
      writer.field("state", "ready")
      writer.field("for", "slot")
      writer.field("slots", count)
      writer.field("executing", busy)
      writer.optional("ahead", turn) { $0.integer($1.ahead) }
      writer.optional("start", turn?.start) { $0.seconds($1) }
    // Only a program's own operations are held by something else.
    case .held: writer.field("state", "waiting")
    }
  }

  private static func append(_ others: [Standing.Other], to writer: inout JSONWriter) {
    writer.key("operations")
    writer.objects(others) { writer, other in
      writer.key("id")
      writer.string(other.id)
      writer.optional("elapsed", other.executing) { $0.seconds($1) }
    }
  }
}

extension Standing.Ending {
  /// Appends an object.
  func append(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("elapsed", seconds: time)
    writer.key("outcome")
    writer.string(ending.name)
    writer.optional("step", step) { $0.string($1) }
    writer.endObject()
  }
}
