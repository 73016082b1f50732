package import PoolModel
import PoolText

/// Why no operation takes a slot of a run that goes on.
package enum IdleReason: Hashable, Sendable {
  /// The run dispatches nothing, for this reason.
  case paused(String)
  /// A limit on starts holds them back, for this reason.
  case held(String)
  /// Something is ready, and on its way to a worker.
  case handover
  /// Workers have been started, and have not greeted.
  case starting
  /// The workers of this place are pending: they have not greeted, and may take as long as they
  /// need.
  case pending(String)
  /// The workers of this place are gone, and are started again after so many nanoseconds.
  case lost(String, nextIn: Int64)
  /// What is ready lacks units of a resource, which these operations hold.
  case limit(ResourceName, units: Int, holders: [String])
  /// What is ready needs more slots than are free.
  case room
  /// Operations wait to be tried again, the first of them for that many nanoseconds.
  case retry(Int64)
  /// All that could begin waits for executing operations: for that many, some of which are named.
  case dependencies([String], count: Int)
  /// The rest of the input is waited for.
  case input
  /// Nothing is left to begin.
  case ending

  /// The most operations that are named.
  package static let namedLimit = 2

  /// The kind of reason, as JSON has it.
  var word: StaticString {
    switch self {
    case .paused: "pause"
    case .held: "start"
    case .handover: "handover"
    case .starting: "worker"
    case .pending: "pending"
    case .lost: "lost"
    case .limit(let resource, _, _): resource.word
    case .room: "slots"
    case .retry: "retry"
    case .dependencies: "dependencies"
    case .input: "input"
    case .ending: "ending"
    }
  }

  /// The reason in words, which go on behind a number of slots.
  var words: String {
    switch self {
    case .paused(let reason): "the run starts nothing: \(reason)"
    case .held(let reason): reason
    case .handover: "operations are on their way"
    case .starting: "workers are starting"
    case .pending(let place): "the workers of \(place) are pending"
    case .lost(let place, let time):
      "the workers of \(place) are gone, and are started again in \(DurationFormat.clock(time))"
    case .limit(let resource, let units, let holders):
      Self.name(of: resource, units) + " is taken"
        + (holders.isEmpty ? "" : " by \(Self.list(holders, of: holders.count))")
    case .room: "what is ready needs more slots"
    case .retry(let time): "the next attempt begins in \(DurationFormat.clock(time))"
    case .dependencies(let names, let count):
      names.isEmpty
        ? "nothing else is ready" : "everything left waits for \(Self.list(names, of: count))"
    case .input: "the rest of the input is waited for"
    case .ending: "nothing is left to begin"
    }
  }

  /// A resource as the manifest has it: `limit net (2)`, `exclusive disk`.
  private static func name(of resource: ResourceName, _ units: Int) -> String {
    let name = "\(resource.word) \(Printable.name(resource.text))"
    return resource.source == .exclusive ? name : "\(name) (\(units))"
  }

  /// The first of the names, and the number of the others.
  private static func list(_ names: [String], of count: Int) -> String {
    let shown = names.prefix(namedLimit).map { Printable.name($0) }
    let rest = count - shown.count
    return shown.joined(separator: rest > 0 ? ", " : " and ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
