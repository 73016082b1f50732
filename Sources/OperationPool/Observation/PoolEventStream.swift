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
  public static var capacity: Int { EventBuffer<BoxedEvent<Element>>.capacity }

  private let reader: EventReader<Element>

  /// How many events have gone unread so far, because more than ``capacity`` waited.
  ///
  /// All of these came before the first event that is still to be read. Once the stream has ended,
  /// this and the number of events that were read are all that there were.
  public var missedCount: Int { reader.channel.missedCount }

  /// Makes the one iterator of the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader)
  }

  /// Reads the events in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: EventReader<Element>

    /// The next event; nil at the end, and in a task that is cancelled.
    public mutating func next() async -> Element? {
      await reader.channel.next()
    }

    /// The next event; nil at the end, and in a task that is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await reader.channel.next(isolation: actor)
    }
  }
}

extension PoolEventStream {
  /// What a stream is told by.
  struct Writer: Sendable {
    fileprivate let channel: EventChannel<Element>

    /// Adds an event.
    func yield(_ event: consuming Element) { yield(BoxedEvent(event), to: nil) }

    /// The same; a reader that waits for it is given to be woken later, if there is a list for that.
    func yield(_ event: BoxedEvent<Element>, to wakeUps: ReaderWakeUps?) {
      guard let reader = channel.append(event) else { return }
      if let wakeUps { wakeUps.append(reader) } else { reader.resume() }
    }

    func finish() { channel.finish() }

    /// Adds the last event.
    func finish(with event: BoxedEvent<Element>, to wakeUps: ReaderWakeUps) {
      let reader = channel.append(event, isLast: true)
      if let reader { wakeUps.append(reader) }
    }

    /// Has a closure called when the stream has no reader any more, or has ended.
    func whenOver(_ body: @escaping @Sendable () -> Void) { channel.whenOver(body) }
  }

  static func make() -> (Self, Writer) {
    let channel = EventChannel<Element>()
    return (Self(reader: EventReader(channel)), Writer(channel: channel))
  }
}

/// Shared by a stream and its iterators; with the last of them the reader is gone.
private final class EventReader<Element: Sendable>: Sendable {
  let channel: EventChannel<Element>

  init(_ channel: EventChannel<Element>) {
    self.channel = channel
  }

  deinit { channel.finish(keepsEvents: false) }
}
