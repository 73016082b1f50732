import PoolContents
import PoolCore

extension Preparation<AttemptReport> {
  /// Prepares inputs, which may take long; ends if the closure returns false.
  init(of inputs: [OperationInput], while isWanted: () -> Bool) {
    do throws(InputFailure) {
      for input in inputs { try input.prepare(while: isWanted) }
      self = .ready
    } catch {
      self = .ended(.failed, .input, AttemptReport(note: error.description))
    }
  }
}
