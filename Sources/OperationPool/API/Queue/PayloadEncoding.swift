import Dispatch
import OperationWorker
import PoolSystem
import Synchronization

/// The inputs of a batch as JSON, encoded before any of its operations is added: if one cannot be
/// encoded, the whole batch is refused.
///
/// Encoding takes most of the time of adding, and workers have nothing to do meanwhile. So large
/// batches of values are encoded on all processors.
enum PayloadEncoding {
  /// Number of operations that one thread encodes at a time.
  private static let chunkSize = 512

  /// The operations' inputs; empty for those that are encoded later.
  static func encode(_ operations: [PoolOperation]) throws(PoolError) -> [[UInt8]] {
    guard operations.count > 2 * chunkSize, operations[0].encodesValue, !ThreadPriority.isLowered
    else { return try encode(operations[...]) }
    let chunks = Mutex<[Result<[[UInt8]], PoolError>?]>([])
    let count = (operations.count + chunkSize - 1) / chunkSize
    chunks.withLock { $0 = Array(repeating: nil, count: count) }
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let start = number * chunkSize
      let range = operations[start..<min(start + chunkSize, operations.count)]
      let result = Result { () throws(PoolError) in try encode(range) }
      chunks.withLock { $0[number] = result }
    }
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(operations.count)
    // The first error in the order of the batch, as one thread would find it.
    for result in chunks.withLock({ $0 }) {
      if let result { payloads += try result.get() }
    }
    return payloads
  }

  private static func encode(_ operations: ArraySlice<PoolOperation>) throws(PoolError)
    -> [[UInt8]]
  {
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(operations.count)
    var series = PayloadCoding.Series()
    for index in operations.indices {
      payloads.append(try operations[index].encodedPayload(&series) ?? [])
    }
    return payloads
  }
}
