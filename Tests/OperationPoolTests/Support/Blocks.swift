import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport

/// A point that several threads must have reached before any goes on.
final class Meeting: Sendable {
  private let missing: Monitor<Int>

  init(of count: Int) {
    missing = Monitor(count)
  }

  /// Waits for the others; false where they do not come within half a minute.
  @discardableResult
  func join() -> Bool {
    missing.withLock { $0 -= 1 }
    missing.broadcast()
    return missing.wait(until: MonotonicClock.now + .seconds(1_200), while: { $0 > 0 })
  }
}

/// What several threads write down, in order.
final class Notebook<Element: Sendable>: Sendable {
  private let lines = Monitor<[Element]>([])

  var all: [Element] { lines.withLock { $0 } }

  func write(_ line: Element) {
    lines.withLock { $0.append(line) }
    lines.broadcast()
  }

  /// Waits until there are so many lines; false where they do not come within half a minute.
  func reaches(_ count: Int) -> Bool {
    lines.wait(until: MonotonicClock.now + .seconds(1_200), while: { $0.count < count })
  }
}

/// Says when it is let go: what a block keeps lives as long as its operation.
final class LastWord: Sendable {
  private let said: @Sendable () -> Void

  init(_ said: @escaping @Sendable () -> Void) {
    self.said = said
  }

  deinit {
    said()
  }
}

/// What a block of a test throws.
struct Refusal: Error, CustomStringConvertible {
  var description: String
}

extension PoolBlockOperation {
  /// A block that waits, without rest, until its operation was asked to stop.
  static func untilAsked(
    _ options: PoolOperationOptions = PoolOperationOptions(),
    then end: @escaping Block = {}
  ) -> PoolBlockOperation {
    PoolBlockOperation(options: options) {
      let watchdog = Monitor(false)
      // Nothing tells a thread that it is asked; half a minute without it is a failure.
      let deadline = MonotonicClock.now + .seconds(1_200)
      while PoolOperation.current?.isCancelled == false, MonotonicClock.now < deadline {
        _ = watchdog.wait(until: MonotonicClock.now + .milliseconds(1), while: { !$0 })
      }
      try end()
    }
  }
}
