import Synchronization

/// The events of a pool for one reader, which may be slow.
///
/// At most ``capacity`` events wait to be read. If one more comes, the oldest is dropped and
/// counted in ``missedCount``: so memory stays bounded, no observed operation waits for a reader,
/// and the latest events, such as the end, are always delivered.
///
/// ```swift
/// let transitions = queue.transitions
/// for await (operation, transition) in transitions { print(operation, transition) }
/// if transitions.missedCount > 0 { print("\(transitions.missedCount) were not read in time") }
/// ```
public struct PoolEventStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Maximum number of events that wait to be read.
  public static var capacity: Int { EventRing<Element>.capacity }

  @usableFromInline let reader: EventReader<Element>

  init(reader: EventReader<Element>) {
    self.reader = reader
  }

  /// Number of events that were dropped so far, because more than ``capacity`` waited.
  ///
  /// They all came before the next event to be read. After the end of the stream, this number plus
  /// the number of events that were read is the total.
  public var missedCount: Int { reader.missedCount }

  /// Makes the one iterator of the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader)
  }

  /// Reads the events in order.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let reader: EventReader<Element>

    fileprivate init(reader: EventReader<Element>) {
      self.reader = reader
    }

    /// The next event; nil at the end, or if the task is cancelled.
    @inlinable
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// The next event; nil at the end, or if the task is cancelled.
    ///
    /// Inlinable, so that callers specialize it for the type of the events, and do not look up its
    /// metadata.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      // An event that is there is taken without another asynchronous call, which costs more than
      // it.
      while true {
        if let next = reader.poll() { return next }
        await reader.wait(isolation: actor)
      }
    }
  }
}

extension PoolEventStream {
  /// Makes a stream and its writer.
  ///
  /// Inlined, so that it is compiled for the concrete types.
  @inline(__always)
  static func make<Kept: CompactEvent>(
    keeping _: Kept.Type
  ) -> (Self, EventWriter<Kept>) where Kept.Event == Element {
    let channel = EventChannel<Kept>()
    return (Self(reader: EventReader(channel)), EventWriter(channel: channel))
  }
}

/// The writing end of a stream.
struct EventWriter<Kept: CompactEvent>: Sendable {
  fileprivate let channel: EventChannel<Kept>

  /// Adds events, and wakes a waiting reader.
  func yield(_ events: Kept...) { channel.append(events)?.resume() }

  /// Adds an event; returns a reader that waits for it and must be resumed.
  func append(_ event: Kept) -> WaitingReader? { channel.append(CollectionOfOne(event)) }

  /// Adds events; a waiting reader is woken at the end of the turn.
  func yield(_ events: some Sequence<Kept>, at turnEnd: TurnEnd) {
    if let reader = channel.append(events) { turnEnd.append(reader) }
  }

  func finish() { channel.finish() }

  /// Adds the last event.
  func finish(with event: Kept, at turnEnd: TurnEnd) {
    let reader = channel.append(CollectionOfOne(event), isLast: true)
    if let reader { turnEnd.append(reader) }
  }

  /// Whether the stream has no reader any longer, or has ended.
  var isOver: Bool { channel.isOver }
}

/// Shared by a stream and its iterators; when the last of them is released, the reader is gone.
@usableFromInline
final class EventReader<Element: Sendable>: Sendable {
  private let channel: any AnyObject & Sendable
  /// The type of the channel's events, which has its functions: a closure for each would take more
  /// memory than the rest of the stream.
  private let kept: any CompactEvent<Element>.Type

  @inline(__always)
  init<Kept: CompactEvent>(_ channel: EventChannel<Kept>) where Kept.Event == Element {
    self.channel = channel
    kept = Kept.self
  }

  /// The next event, `.some(nil)` at the end; nil if none has come yet.
  @usableFromInline
  func poll() -> Element?? { kept.poll(channel) }

  /// Returns when there may be an event, and at the end.
  @usableFromInline
  func wait(isolation actor: isolated (any Actor)?) async {
    await kept.wait(for: channel, isolation: actor)
  }

  var missedCount: Int { kept.missedCount(of: channel) }

  deinit { kept.abandon(channel) }
}
