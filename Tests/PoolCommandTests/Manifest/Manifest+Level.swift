import PoolCommand
import PoolCore

@testable import PoolInputs

extension Manifest {
  /// The level of an operation, from 0: the longest path to an operation without dependencies.
  func level(of operation: Int) -> Int { Int(order.levels[operation]) }
}
