import OperationWorker
import PoolWire

/// An operation by the name of its kind, with JSON as input and result.
///
/// The counterpart of Foundation's `InvocationOperation`: nothing is known of the body here but
/// its name, so that workers in any language can serve it.
///
/// `@unchecked Sendable` as its superclass is: what is stored is constant.
public final class PoolInvocationOperation: PoolOperation, @unchecked Sendable {
  private let payload: [UInt8]

  /// The input of all operations that need none.
  ///
  /// A literal, because such an array is there from the start: no thread counts references to it.
  @usableFromInline static let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]

  /// Makes an operation of a kind; the payload is one JSON value in UTF-8.
  ///
  /// What is no such value, no bytes at all among it, is refused when the operation is added to a
  /// queue or started: with a ``PoolError`` of the code ``PoolError/Code/notEncodable``, which says
  /// where the bytes go wrong. Nothing that was not checked reaches a worker.
  public init(kind: String, payload: [UInt8] = PoolInvocationOperation.null) {
    self.payload = payload
    super.init(kind: kind)
  }

  /// Makes an operation of a kind with options; see ``init(kind:payload:)``.
  public init(
    kind: String,
    payload: [UInt8] = PoolInvocationOperation.null,
    options: PoolOperationOptions
  ) {
    self.payload = payload
    super.init(kind: kind, options)
  }

  override func encodedPayload(_ series: inout PayloadCoding.Series) throws(PoolError) -> [UInt8]? {
    guard payload != Self.null else { return payload }
    do throws(JSONError) {
      try JSONScanner.check(payload)
      return payload
    } catch {
      let message = "the payload of '\(numberedLabel)' is not one JSON value: \(error)"
      throw PoolError(.notEncodable, message)
    }
  }
}
