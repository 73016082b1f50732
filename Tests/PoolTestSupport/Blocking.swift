package import PoolSystem

/// Runs what blocks on a thread of its own, so that it holds up none of those that tests share.
package enum Blocking {
  @discardableResult
  package static func run<Value: Sendable>(
    mask: SignalMask = .empty,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemFailure) {
        let thread = try SystemThread.start(name: "blocks", mask: mask) {
          continuation.resume(with: Result { try body() })
        }
        thread.detach()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
