/// A graph of so many operations, and the order in which they are added.
enum Shape: String, CaseIterable {
  /// Each waits for the one that was added before it.
  case chain
  /// Each waits for the one that will be added after it.
  case reverseChain = "reverse chain"
  /// All wait for the last that is added.
  case fanOut = "fan out"
  /// The first that is added waits for all others.
  case fanIn = "fan in"

  /// What an operation waits for, by its place in the order of addition.
  func dependency(of index: Int, count: Int) -> Range<Int> {
    switch self {
    case .chain: max(index - 1, 0)..<index
    case .reverseChain: index + 1..<min(index + 2, count)
    case .fanOut: index == count - 1 ? 0..<0 : count - 1..<count
    case .fanIn: index == 0 ? 1..<count : 0..<0
    }
  }
}
