import PoolCore

extension Preparation<AttemptReport> {
  /// Prepares inputs, which may take long.
  init(of inputs: [OperationInput]) {
    do throws(InputFailure) {
      for input in inputs { try input.prepare() }
      self = .ready
    } catch {
      self = .ended(.failed, .input, AttemptReport(note: error.description))
    }
  }
}
