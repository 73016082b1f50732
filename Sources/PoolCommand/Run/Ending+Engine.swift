import OperationPool
import PoolAnalysis
import PoolCore
import PoolModel
import PoolReports

extension Standing.Ending {
  /// How far the end of an execution is at a moment.
  init(_ ending: OperationEnding, at now: Instant) {
    self.init(
      for: max(now.nanoseconds - ending.start.nanoseconds, 0),
      as: ending.ending,
      by: ending.step?.name
    )
  }
}
