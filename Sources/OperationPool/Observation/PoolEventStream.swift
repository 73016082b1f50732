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
  public static var capacity: Int { EventBuffer<Element>.capacity }

  @usableFromInline let reader: EventReader<Element>

  init(reader: EventReader<Element>) {
    self.reader = reader
  }

  /// How many events have gone unread so far, because more than ``capacity`` waited.
  ///
  /// All of these came before the first event that is still to be read. Once the stream has ended,
  /// this and the number of events that were read are all that there were.
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

    /// The next event; nil at the end, and in a task that is cancelled.
    @inlinable
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// The next event; nil at the end, and in a task that is cancelled.
    ///
    /// Inlinable, so that it is compiled for the type of the events, which is looked up else.
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
  /// Makes a stream, and what it is told by.
  ///
  /// Inlined, so that the reader's functions are compiled for what is kept: a generic function would
  /// look up its types for each event. They capture nothing, so that none is allocated.
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

/// What a stream is told by.
struct EventWriter<Kept: KeptEvent>: Sendable {
  fileprivate let channel: EventChannel<Kept>

  /// Adds events, and wakes a reader that waits for them.
  func yield(_ events: Kept...) { channel.append(events)?.resume() }

  /// Adds events; a reader that waits for them is woken at the end of the turn.
  func yield(_ events: some Sequence<Kept>, at turnEnd: TurnEnd) {
    if let reader = channel.append(events) { turnEnd.append(reader) }
  }

  func finish() { channel.finish() }

  /// Adds the last event.
  func finish(with event: Kept, at turnEnd: TurnEnd) {
    let reader = channel.append(CollectionOfOne(event), isLast: true)
    if let reader { turnEnd.append(reader) }
  }

  /// Whether the stream has no reader any more, or has ended.
  var isOver: Bool { channel.isOver }
}

/// Shared by a stream and its iterators; with the last of them the reader is gone.
@usableFromInline
final class EventReader<Element: Sendable>: Sendable {
  @usableFromInline typealias Channel = AnyObject & Sendable
  @usableFromInline typealias Poll = @Sendable (any Channel) -> Element??
  @usableFromInline typealias Wait = @Sendable (any Channel, isolated (any Actor)?) async -> Void

  /// The ``EventChannel`` that the functions are for.
  @usableFromInline let channel: any Channel
  /// The next event, nil at the end; a second nil around it where none has come yet.
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
