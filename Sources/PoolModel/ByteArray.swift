extension [UInt8] {
  /// Passes the bytes to the closure, whose error keeps its type, unlike with `withUnsafeBytes`.
  @inlinable
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try withUnsafeBufferPointer { buffer throws(Failure) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
