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
  public static var capacity: Int { EventBuffer<Element>.capacity }

  @usableFromInline let reader: EventReader<Element>

  init(reader: EventReader<Element>) {
    self.reader = reader
  }

  /// Number of events that were dropped so far, because more than ``capacity`` waited.
  ///
  /// They all came before the next event to be read. After the end of the stream, this number plus
  /// the number of events that were read is the total.
  public var missedCount: Int { reader.missedCount(reader.channel) }

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
      // An event that is there is taken without another asynchronous call, which costs more than it.
      while true {
        if let next = reader.poll(reader.channel) { return next }
        await reader.wait(reader.channel, actor)
      }
    }
  }
}

extension PoolEventStream {
  /// Makes a stream and its writer.
  ///
  /// Inlined, so that the reader's functions are compiled for the concrete event type: a generic
  /// function would look up its types for each event. They capture nothing, so that no closure is
  /// allocated.
  @inline(__always)
  static func make<Kept: KeptEvent>(
    keeping _: Kept.Type
  ) -> (Self, EventWriter<Kept>) where Kept.Event == Element {
    let channel = EventChannel<Kept>()
    let reader = EventReader<Element>(
      channel: channel,
      poll: { unsafeDowncast($0, to: EventChannel<Kept>.self).poll() },
      wait: { await unsafeDowncast($0, to: EventChannel<Kept>.self).waitForEvent(isolation: $1) },
      missedCount: { unsafeDowncast($0, to: EventChannel<Kept>.self).missedCount },
      end: { unsafeDowncast($0, to: EventChannel<Kept>.self).finish(keepsEvents: false) }
    )
    return (Self(reader: reader), EventWriter(channel: channel))
  }
}

/// The writing end of a stream.
struct EventWriter<Kept: KeptEvent>: Sendable {
  fileprivate let channel: EventChannel<Kept>

  /// Adds events, and wakes a waiting reader.
  func yield(_ events: Kept...) { channel.append(events)?.resume() }

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
  @usableFromInline typealias Channel = AnyObject & Sendable
  @usableFromInline typealias Poll = @Sendable (any Channel) -> Element??
  @usableFromInline typealias Wait = @Sendable (any Channel, isolated (any Actor)?) async -> Void

  /// The ``EventChannel`` of the functions.
  @usableFromInline let channel: any Channel
  /// The next event, `.some(nil)` at the end; nil if none has come yet.
  @usableFromInline let poll: Poll
  /// Returns when there may be an event, and at the end.
  @usableFromInline let wait: Wait
  let missedCount: @Sendable (any Channel) -> Int
  private let end: @Sendable (any Channel) -> Void

  init(
    channel: any Channel,
    poll: @escaping Poll,
    wait: @escaping Wait,
    missedCount: @escaping @Sendable (any Channel) -> Int,
    end: @escaping @Sendable (any Channel) -> Void
  ) {
    self.channel = channel
    self.poll = poll
    self.wait = wait
    self.missedCount = missedCount
    self.end = end
  }

  deinit { end(channel) }
}
