/// Counts the tokens of a jobserver that this process has, and those that it needs.
///
/// One token is implicit: the process that started this one holds it, and it is never given back.
/// Each slot in use needs one. Pure: the caller says how many slots are in use, and which tokens
/// were read.
struct TokenLedger {
  /// The tokens that were read, each the byte that it was.
  private(set) var held: [UInt8] = []
  /// Whether one more is to be read.
  private(set) var wantsToken = false
  private(set) var isClosed = false

  /// Whether there is a token for one more operation in addition to this number of slots in use.
  func covers(_ slots: Int) -> Bool { slots <= held.count }

  /// A token was read; returns the tokens to give back: this one, if it came too late.
  mutating func take(_ token: UInt8) -> [UInt8] {
    guard wantsToken else { return [token] }
    held.append(token)
    wantsToken = false
    return []
  }

  /// So many slots are in use, or will be at once; one more operation may be waiting for a token.
  ///
  /// Returns the tokens to give back.
  mutating func note(_ slots: Int, isWaiting: Bool) -> [UInt8] {
    guard !isClosed else { return [] }
    let needed = max(slots - 1, 0) + (isWaiting && slots > 0 ? 1 : 0)
    wantsToken = held.count < needed
    return giveBack(keeping: needed)
  }

  /// The pipe had no room for these tokens: they are still held, and given back later.
  mutating func keep(_ tokens: some Sequence<UInt8>) { held += tokens }

  /// No operation executes any longer; returns the tokens to give back.
  mutating func close() -> [UInt8] {
    (isClosed, wantsToken) = (true, false)
    return giveBack(keeping: 0)
  }

  private mutating func giveBack(keeping count: Int) -> [UInt8] {
    guard held.count > count else { return [] }
    defer { held.removeSubrange(count...) }
    return Array(held[count...])
  }
}
