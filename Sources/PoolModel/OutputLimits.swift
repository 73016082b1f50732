/// Number of bytes of an output that are kept.
package struct OutputLimit: Hashable, Sendable {
  package let byteCount: Int
  /// Whether the operation fails if the output has more; else the rest is dropped.
  package let fails: Bool

  /// A negative limit counts as 0.
  package init(byteCount: Int, fails: Bool) {
    self.byteCount = max(byteCount, 0)
    self.fails = fails
  }

  /// No limit.
  package static let none = Self(byteCount: .max, fails: false)

  /// Whether the operation fails with an output of so many bytes.
  package func forbids(_ count: Int64) -> Bool { fails && count > Int64(byteCount) }
}

/// The limits of an operation's two outputs.
package struct OutputLimits: Hashable, Sendable {
  package let output: OutputLimit
  package let error: OutputLimit

  package init(output: OutputLimit, error: OutputLimit) {
    (self.output, self.error) = (output, error)
  }

  /// The reasons why the operation fails, with outputs of so many bytes.
  package func excesses(output: Int64, error: Int64) -> [String] {
    [
      self.output.forbids(output) ? self.output.excess(of: "output") : nil,
      self.error.forbids(error) ? self.error.excess(of: "error output") : nil,
    ].compactMap(\.self)
  }
}

extension OutputLimit {
  fileprivate func excess(of name: String) -> String {
    "its \(name) has more than \(byteCount) bytes, which is its limit"
  }
}
