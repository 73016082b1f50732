/// One of the values that files and options name by a word, such as `timedOut`.
public protocol PoolNamedValue: CaseIterable, Sendable {
  /// The word.
  var name: String { get }
}

extension PoolNamedValue {
  /// The value with this name; nil if none has it.
  @inlinable
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
