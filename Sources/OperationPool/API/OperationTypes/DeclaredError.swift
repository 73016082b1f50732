import OperationWorker

/// The type of error that an operation declares; never a type that a worker names.
struct DeclaredError: Sendable {
  private let decode: @Sendable ([UInt8]) throws -> any Error

  /// Nil if an operation declares none.
  init?<Failure: Codable & Error>(_ type: Failure.Type) {
    guard type != UndeclaredFailure.self else { return nil }
    decode = { try PayloadCoding.decode(type, from: $0) }
  }

  /// The error that its worker threw, if it has the declared type and can be decoded; otherwise the
  /// failure.
  func error(of failure: PoolFailure) -> any Error {
    guard failure.isDeclared else { return failure }
    guard let json = failure.json else {
      return failure.remarking("its type is lost: its value is missing, or too large")
    }
    do {
      return try decode(json)
    } catch {
      return failure.remarking("its type is lost: \(error)")
    }
  }
}
