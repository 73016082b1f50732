import PoolCommand

@testable import PoolInputs

extension MapInputs {
  /// Makes inputs of one field each.
  init(arguments: [[UInt8]]) {
    self.init()
    for argument in arguments { append([argument]) }
  }
}
