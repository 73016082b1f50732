/// Executes computations that are independent of each other, in any order or at once.
package protocol Workforce {
  /// Maps elements; the results are in the order of the elements.
  func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    _ body: @Sendable (Element) -> Result
  ) -> [Result]
}

extension Workforce {
  /// Computes two values.
  package func both<One: Sendable, Other: Sendable>(
    _ one: @Sendable () -> One,
    _ other: @Sendable () -> Other
  ) -> (One, Other) {
    let values = map([true, false]) { $0 ? (one() as One?, nil) : (nil, other() as Other?) }
    return (values[0].0 ?? one(), values[1].1 ?? other())
  }
}

/// Executes one computation after the other.
package struct OneByOne: Workforce {
  package init() {}

  package func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    elements.map(body)
  }
}
