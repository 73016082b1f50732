package import PoolEvents
package import PoolModel

/// What another process has asked a run for, and when that was done.
package struct HistoricSteering: Hashable, Sendable {
  package let time: Instant
  package let steered: RunSteered
}

extension RunHistory {
  /// Each pause of the run, with who asked for it; the last one may end with the records.
  package var pauses: [(span: Range<Instant>, asker: RunSteered.Asker)] {
    var pauses: [(Range<Instant>, RunSteered.Asker)] = []
    var start: HistoricSteering?
    for steering in steerings {
      switch steering.steered.action {
      case .pause: start = start ?? steering
      case .unpause:
        guard let pause = start else { continue }
        pauses.append((pause.time..<max(pause.time, steering.time), pause.steered.asker))
        start = nil
      case .cancel, .scale: break
      }
    }
    if let start { pauses.append((start.time..<max(start.time, end), start.steered.asker)) }
    return pauses
  }
}
