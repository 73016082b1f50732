import PoolCore
import PoolJournal
import PoolReports

extension ExpectedDurations {
  /// The durations that the options ask for; nil if durations do not matter.
  ///
  /// Unreadable parts of a history are skipped, with a warning.
  init?(_ options: SharedOptions) throws(JournalError) {
    guard options.order.usesDurations else { return nil }
    guard let path = options.history else {
      self.init(for: options.order)
      return
    }
    try self.init(
      for: options.order,
      history: JournalContent.state(
        path: path,
        isQuiet: options.verbosity == .quiet
      )
    )
  }
}
