/// An operation by the name of its kind, with JSON as input and result.
///
/// The counterpart of Foundation's `InvocationOperation`: nothing is known of the body here but
/// its name, so that workers in any language can serve it.
///
/// `@unchecked Sendable` as its superclass is: what is stored is constant.
public final class PoolInvocationOperation: PoolOperation, @unchecked Sendable {
  private let payload: [UInt8]

  /// The input of all operations that need none.
  @usableFromInline static let null = Array("null".utf8)

  /// Makes an operation of a kind; the payload is one JSON value in UTF-8.
  ///
  /// That the payload is JSON is the caller's duty: a worker refuses other bytes.
  public init(
    kind: String,
    payload: [UInt8] = PoolInvocationOperation.null,
    options: PoolOperationOptions = PoolOperationOptions()
  ) {
    self.payload = payload
    super.init(kind: kind, options)
  }

  override func encodedPayload() throws(PoolError) -> [UInt8]? { payload }
}
