import PoolModel

/// When the outputs of a command are looked at: often enough that it seldom waits for room, and
/// seldom enough that small writes do not wake this process one by one.
package struct GatheringPace {
  /// Most commands have ended by then: 2 ms.
  private static let first = Int64.milliseconds(2)
  /// Between the first looks at a command that prints: 100 µs.
  private static let shortest = Int64(100_000)
  private static let longest = Int64.milliseconds(32)
  /// Number of bytes in one look that mean that the command may wait for room: half a pipe.
  package static let flood = 32 << 10

  /// Whether the command before printed more than a pipe holds.
  package private(set) var expectsFlood = false
  /// Nanoseconds to wait for the command's end before the next look; 0 for none.
  package private(set) var pause = Self.first
  /// Number of bytes of the command so far.
  private var total = 0

  package init() {}

  /// Another command begins: after one that printed more than its pipe can hold, it is looked at
  /// early.
  package mutating func begin(widestPipe: Int = Self.flood * 2) {
    expectsFlood = total >= Self.flood * 2
    pause = total >= widestPipe ? Self.shortest : Self.first
    total = 0
  }

  /// A look has found that many bytes; returns whether to wait for more without a limit.
  package mutating func look(finding count: Int) -> Bool {
    total += count
    if count >= Self.flood {
      pause = 0
    } else if count > 0 {
      pause = min(max(pause * 2, Self.shortest), Self.longest)
    } else {
      pause = Self.shortest
    }
    return count == 0
  }

  /// So many bytes were found after the command's end.
  package mutating func finish(finding count: Int) { total += count }

  /// The wait without a limit was ended by a child, not by output.
  package mutating func childChanged() { pause = 0 }
}
