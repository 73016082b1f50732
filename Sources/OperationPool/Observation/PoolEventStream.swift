import Synchronization

/// The events of a pool for one reader, which may be slow.
///
/// At most ``capacity`` events wait to be read. Where one more comes, the oldest of them goes, and
/// ``missedCount`` says so: memory stays bounded however little is read, nothing that is observed
/// waits for a reader, and the latest events, such as the end, are there in any case.
///
/// ```swift
/// let transitions = queue.transitions
/// for await (operation, transition) in transitions { print(operation, transition) }
/// if transitions.missedCount > 0 { print("\(transitions.missedCount) were not read in time") }
/// ```
public struct PoolEventStream<Element: Sendable>: AsyncSequence, Sendable {
  /// How many events wait to be read at most.
  public static var capacity: Int { 16_384 }

  private let events: AsyncStream<Element>
  private let missed: MissedEvents

  /// How many events have gone unread so far, because more than ``capacity`` waited.
  ///
  /// All of these came before the first event that is still to be read. Once the stream has ended,
  /// this and the number of events that were read are all that there were.
  public var missedCount: Int { missed.count.load(ordering: .relaxed) }

  /// Makes the one iterator of the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: events.makeAsyncIterator())
  }

  /// Reads the events in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: AsyncStream<Element>.Iterator

    /// The next event; nil at the end, and in a task that is cancelled.
    public mutating func next() async -> Element? {
      await events.next()
    }

    /// The next event; nil at the end, and in a task that is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await events.next(isolation: actor)
    }
  }
}

extension PoolEventStream {
  /// What a stream is told by.
  struct Writer: Sendable {
    fileprivate let continuation: AsyncStream<Element>.Continuation
    fileprivate let missed: MissedEvents

    func yield(_ event: Element) {
      guard case .dropped = continuation.yield(event) else { return }
      missed.count.add(1, ordering: .relaxed)
    }

    func finish() { continuation.finish() }

    /// Has a closure called when the stream has no reader any more, or has ended.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
      continuation.onTermination = { _ in body() }
    }
  }

  static func make() -> (Self, Writer) {
    let (events, continuation) = AsyncStream.makeStream(
      of: Element.self,
      bufferingPolicy: .bufferingNewest(capacity)
    )
    let missed = MissedEvents()
    return (
      Self(events: events, missed: missed), Writer(continuation: continuation, missed: missed)
    )
  }
}

/// A count that the writer of a stream and its reader share.
private final class MissedEvents: Sendable {
  let count = Atomic(0)
}
