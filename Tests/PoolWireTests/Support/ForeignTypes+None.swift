import PoolWire

extension ForeignTypes {
  /// No type at all.
  static let none = ForeignTypes(
    includes: { _ in false },
    form: { _ in nil },
    value: { _, _ in nil }
  )
}
