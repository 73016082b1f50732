public import OperationWorker

extension PoolTypedOperation {
  /// Makes an operation whose value is made from the results of others, when these have succeeded.
  ///
  /// ```swift
  /// let sum = PoolTypedOperation(from: left, right) { left, right in Sum(numbers: [left, right]) }
  /// ```
  ///
  /// It depends on the others, and is skipped if one of them does not succeed. The closure is
  /// called in this process; if it throws, the operation fails with the cause `input`.
  public convenience init<each Source: Codable & Sendable, Body: TypedOperation>(
    from sources: repeat PoolTypedOperation<each Source>,
    options: PoolOperationOptions = PoolOperationOptions(),
    _ body: @escaping @Sendable (repeat each Source) throws -> Body
  ) where Body.Output == Output {
    var required: [PoolOperation] = []
    repeat required.append(each sources)
    self.init(kind: Body.kind, options, DeclaredError(Body.Failure.self), from: required) {
      try body(repeat try await (each sources).value)
    }
  }

  /// Makes an operation whose value is made from the results of any number of others, when these
  /// have succeeded.
  ///
  /// ```swift
  /// let squares = (1...10).map { PoolTypedOperation(Square(number: $0)) }
  /// let total = PoolTypedOperation(from: squares) { Sum(numbers: $0) }
  /// try queue.addOperations(squares + [total])
  /// ```
  ///
  /// The closure gets their values in the same order. The operation depends on all of them, and is
  /// skipped if one does not succeed. For very many inputs use `queue.map(…).reduce`, which keeps
  /// few of them at once.
  public convenience init<Source: Codable & Sendable, Body: TypedOperation>(
    from sources: [PoolTypedOperation<Source>],
    options: PoolOperationOptions = PoolOperationOptions(),
    _ body: @escaping @Sendable ([Source]) throws -> Body
  ) where Body.Output == Output {
    self.init(kind: Body.kind, options, DeclaredError(Body.Failure.self), from: sources) {
      try body(try await Self.values(of: sources))
    }
  }

  /// Makes an operation that depends on the others, and encodes its body when they have ended.
  private convenience init(
    kind: String,
    _ options: PoolOperationOptions,
    _ declared: DeclaredError?,
    from sources: [PoolOperation],
    _ body: @escaping @Sendable () async throws -> some Encodable & Sendable
  ) {
    let input = TypedInput.late { try PayloadCoding.encode(try await body(), packs: true) }
    self.init(kind: kind, options, input, declared)
    for source in sources { require(source) }
  }

  private static func values<Source>(
    of sources: [PoolTypedOperation<Source>]
  ) async throws -> [Source] {
    var values: [Source] = []
    for source in sources { values.append(try await source.value) }
    return values
  }

  private func require(_ source: PoolOperation) {
    do throws(PoolError) {
      try addDependency(source, requiring: .succeeded)
    } catch {
      preconditionFailure("nothing waits for an operation that was just made: \(error)")
    }
  }
}
