import OperationPool
import PoolModel
import PoolText

/// Says why nothing starts: once to every user if nothing executes, and each change with -v.
struct HoldMessages {
  private let limits: StartPolicy.Limits
  private var wasHeld = false
  private var hasReported = false

  init(_ limits: StartPolicy.Limits) {
    self.limits = limits
  }

  /// The message, and whether it is for every user; nil for none.
  mutating func message(
    about decision: StartPolicy.Decision,
    _ starts: PoolEngine.Starts
  ) -> (text: String, isForAll: Bool)? {
    guard starts.ready > 0, let reason = reason(for: decision) else {
      if case .start = decision { wasHeld = false }
      return nil
    }
    let isForAll = !hasReported && starts.assigned == 0
    guard isForAll || !wasHeld else { return nil }
    wasHeld = true
    hasReported = hasReported || isForAll
    return ("nothing starts: \(reason)", isForAll)
  }

  /// Why nothing starts; nil if something may.
  func hold(of decision: StartPolicy.Decision) -> String? {
    switch decision {
    case .hold(.delay, _): "--delay holds back the next operation"
    case .hold(.unjudged, _): "--halt waits for the outcomes of what has ended"
    case .hold, .start: reason(for: decision)
    }
  }

  /// The same for messages; nil also for what passes soon.
  private func reason(for decision: StartPolicy.Decision) -> String? {
    switch decision {
    case .hold(.load(let load), _):
      "the load is \(Self.rounded(load)), and --load allows less than \(Self.rounded(limits.load ?? 0))"
    case .hold(.memory(let memory), _):
      "\(ByteSize.rough(memory)) of memory are available, "
        + "and --memfree wants \(ByteSize.rough(limits.memory ?? 0))"
    case .hold(.delay, _), .hold(.unjudged, _), .start: nil
    }
  }

  private static func rounded(_ load: Double) -> String {
    let hundredths = Int64(saturating: load * 100 + 0.5)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
