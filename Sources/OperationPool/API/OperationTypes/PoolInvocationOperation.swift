import OperationWorker
import PoolWire

/// An operation by the name of its kind, with JSON as input and result.
///
/// The counterpart of Foundation's `InvocationOperation`: this process knows only the name of the
/// body, so workers in any language can serve it.
///
/// `@unchecked Sendable` like its superclass: its own properties are constant.
public final class PoolInvocationOperation: PoolOperation, @unchecked Sendable {
  private let payload: [UInt8]

  /// The payload of operations without input.
  ///
  /// A literal array is static: no thread counts references to it.
  @usableFromInline static let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]

  /// Makes an operation of a kind; the payload is one JSON value in UTF-8.
  ///
  /// An invalid payload, including an empty one, is refused when the operation is added to a queue
  /// or started: with a ``PoolError`` of the code ``PoolError/Code/notEncodable``, which names the
  /// offset of the error. Unchecked bytes never reach a worker.
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
