import PoolModel
import PoolWire

@testable import OperationWorker

extension Execute {
  /// An operation of kind `k` whose identifier and dispatch are both that number.
  static func numbered(_ number: UInt64) -> Execute {
    Execute(reference: .numbered(number), attempt: 1, kind: "k", payload: [])
  }
}

extension DispatchReference {
  /// An operation and a dispatch of that number.
  static func numbered(_ number: UInt64) -> DispatchReference {
    DispatchReference(
      operation: OperationID(rawValue: number),
      dispatch: DispatchNumber(rawValue: number)
    )
  }
}

extension WorkerMachine {
  /// A machine that has been greeted and sent these operations.
  static func prefetching(_ numbers: UInt64...) throws -> WorkerMachine {
    var machine = WorkerMachine()
    try machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
    try machine.prefetch(numbers.map(Execute.numbered))
    return machine
  }

  /// Takes operations of a list that is not used again.
  mutating func prefetch(_ operations: [Execute]) throws(Violation) {
    var operations = operations
    try prefetch(&operations)
  }
}
