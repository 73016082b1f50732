import PoolAnalysis
import PoolEvents
import PoolModel

/// What all sections of a page ask for.
struct PageFacts {
  let analysis: RunAnalysis
  let options: PageOptions
  /// When each operation could have been executed first.
  let ready: [Instant?]
  /// The place of each operation's group among those of the analysis.
  let groupPlaces: [Int]

  init(_ analysis: RunAnalysis, _ options: PageOptions) {
    (self.analysis, self.options) = (analysis, options)
    ready = analysis.ready
    var places = [Int](repeating: 0, count: analysis.history.operations.count)
    for (group, summary) in analysis.groups.enumerated() {
      for member in summary.members { places[member] = group }
    }
    groupPlaces = places
  }

  var history: RunHistory { analysis.history }
  /// Nanoseconds of the run; at least 1.
  var elapsed: Int64 { max(analysis.elapsed, 1) }
  var hidesOutputs: Bool { options.omissions.contains(.outputs) }

  /// The command of an operation, unless the page leaves commands out.
  func command(at place: Int) -> [UInt8]? {
    options.omissions.contains(.commands) ? nil : history.command(at: place)
  }

  /// What an attempt, a failure or a worker says; nothing if the page leaves outputs out.
  func message(_ message: String?) -> String { hidesOutputs ? "" : message ?? "" }

  /// The same where something has to stand.
  func reason(_ message: String) -> String { hidesOutputs ? "(left out)" : message }

  /// The name of a group, for people.
  func name(ofGroup place: Int) -> [UInt8] {
    analysis.groups[place].name ?? Array("(no group)".utf8)
  }

  /// Where an instant is in the run, from 0 to 1.
  func position(_ time: Instant) -> Double {
    min(max(Double(time.nanoseconds) / Double(elapsed), 0), 1)
  }

  /// The links of some operations, but not of too many.
  func links(_ members: some Collection<Int>, to writer: inout PageWriter) {
    for (index, place) in members.prefix(Self.linkLimit).enumerated() {
      if index > 0 { writer.text(", ") }
      writer.link(toOperation: place, history.operations[place].id)
    }
    if members.count > Self.linkLimit {
      writer.text(" and \(members.count - Self.linkLimit) more")
    }
  }

  private static let linkLimit = 5
}

extension SlotUse {
  /// The word for it in classes of the style.
  var styleName: StaticString {
    switch self {
    case .succeeded: "succeeded"
    case .unsuccessful: "unsuccessful"
    case .unfinished: "unfinished"
    case .repeated: "repeated"
    case .starting, .input: "starting"
    case .dependencies: "dependencies"
    case .limit: "limit"
    case .room: "room"
    case .retry: "retry"
    case .handover: "handover"
    case .delay: "delay"
    case .pause: "pause"
    case .ending: "ending"
    }
  }
}
