package import PoolModel
import PoolSystem
package import PoolWire

/// Moves the bytes of many workers' streams over one pair of streams: one side of a relay.
///
/// Used on one thread. Descriptors do not block. A stream that the other side does not take waits
/// alone: its descriptor is read no further than its window.
package final class RelayPump {
  package typealias Key = RelayConversation.Key

  /// What the owner has to know.
  package enum Event {
    case opened(UInt16)
    case signal(UInt16, Int32)
    case exited(UInt16, PoolExitStatus)
    /// A descriptor that the owner watches is ready.
    case ready(UInt16)
    /// The wake-up descriptor is ready.
    case woken
  }

  /// A stream that comes from the other side.
  private struct Sink {
    /// Nil until the owner has opened one.
    var descriptor: Int32?
    var bytes: [UInt8] = []
    var written = 0
    /// Number of bytes that did not come from the other side.
    var ownCount = 0
    /// Whether the poller watches for room.
    var awaitsRoom = false
    /// Whether it is closed behind the last byte.
    var hasEnded = false
    /// Whether its reader is gone: then bytes are dropped.
    var isDeaf = false

    var isEmpty: Bool { written == bytes.count }

    /// Writes as much as the descriptor takes, or drops all if its reader is gone; returns how many
    /// of the other side's bytes those were.
    mutating func write(to descriptor: Int32) -> Int {
      let before = written
      while !isEmpty, !isDeaf {
        let transfer = bytes.withUnsafeBytes {
          try? SystemIO.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[written...]))
        }
        guard transfer != .wouldBlock else { break }
        if case .bytes(let count)? = transfer { written += count } else { isDeaf = true }
      }
      if isDeaf { written = bytes.count }
      let own = min(ownCount, written - before)
      ownCount -= own
      defer { forgetWritten() }
      return written - before - own
    }

    private mutating func forgetWritten() {
      guard isEmpty || written > 64 << 10 else { return }
      if isEmpty {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
      } else {
        bytes.removeFirst(written)
      }
      written = 0
    }

    func close() {
      if let descriptor { Descriptors.close(descriptor) }
    }
  }

  private var conversation: RelayConversation
  private let input: Int32
  private let output: Int32
  private var sources: [Key: Int32] = [:]
  /// Those that are not watched, because their windows have no room.
  private var stalled: Set<Key> = []
  private var sinks: [Key: Sink] = [:]
  private var poller = Poller()
  /// The two streams alone, for when no other is to be read.
  private var trunkPoller = Poller()
  private var isAwaitingRoom = false
  private var events: [Event] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
  /// Whether the other side can be reached no more.
  package private(set) var isBroken = false
  /// What it has sent that it may not, if anything.
  package private(set) var violation: Violation?
  /// Number of bytes that have come.
  package private(set) var received: UInt64 = 0

  /// Uses these two descriptors, which stay the caller's, and another one to be woken by.
  package init(
    _ side: RelayConversation.Side,
    input: Int32,
    output: Int32,
    wakeUp: Int32? = nil,
    expectsGreeting: Bool = false
  ) {
    (self.input, self.output) = (input, output)
    conversation = RelayConversation(side, expectsGreeting: expectsGreeting)
    watchTrunk(input, for: .readable, key: TrunkKey.input)
    if let wakeUp { watchTrunk(wakeUp, for: .readable, key: TrunkKey.wakeUp) }
  }

  deinit {
    for descriptor in sources.values { Descriptors.close(descriptor) }
    for sink in sinks.values { sink.close() }
    buffer.deallocate()
  }

  /// Whether something waits to be sent.
  package var isSending: Bool { conversation.hasPending }

  /// Number of bytes that were ever put behind others to be sent.
  package var queuedCount: Int { conversation.queuedCount }

  /// What the relay has said of itself; nil before that.
  package var hello: Hello? { conversation.hello }

  private enum TrunkKey {
    static let input = 0
    static let output = 1
    static let wakeUp = 2
  }

  private static func pollerKey(_ key: Key) -> Int {
    (Int(key.channel) + 1) * 4 + Int(key.stream.rawValue)
  }

  private static func ownerKey(_ channel: UInt16) -> Int { (Int(channel) + 1) * 4 + 3 }

  private func watchTrunk(_ descriptor: Int32, for readiness: Poller.Readiness, key: Int) {
    poller.watch(descriptor, for: readiness, key: key)
    trunkPoller.watch(descriptor, for: readiness, key: key)
  }
}

// MARK: - Streams

extension RelayPump {
  /// Sends what can be read from a descriptor, which is closed at its end.
  package func read(_ descriptor: Int32, as key: Key) {
    sources[key] = descriptor
    watch(key)
  }

  /// Writes what comes of a stream to a descriptor, which is closed behind the last byte.
  package func write(_ key: Key, to descriptor: Int32) {
    // Some of it may have come together with the request to start the worker.
    sinks[key, default: Sink()].descriptor = descriptor
    drain(key)
  }

  /// Tells the owner when a descriptor of its own can be read.
  package func watch(_ descriptor: Int32, of channel: UInt16) {
    // Also while no stream is read: what it tells may be what all others wait for.
    watchTrunk(descriptor, for: .readable, key: Self.ownerKey(channel))
  }

  package func unwatch(_ channel: UInt16) {
    poller.forget(key: Self.ownerKey(channel))
    trunkPoller.forget(key: Self.ownerKey(channel))
  }

  /// Sends a frame that is no data.
  package func send(_ frame: RelayFrame, on channel: UInt16) {
    conversation.send(frame, on: channel)
  }

  /// Reads what a descriptor has now, and then takes that for all of it.
  ///
  /// Returns whether that is done: otherwise its window has no room.
  package func finishReading(_ key: Key) -> Bool {
    while sources[key] != nil {
      guard conversation.room(for: key) > 0 else { return false }
      if !readOnce(key) { endReading(key) }
    }
    return true
  }

  /// What waits to be written of a stream.
  package func rest(of key: Key) -> [UInt8] {
    sinks[key].map { Array($0.bytes[$0.written...]) } ?? []
  }

  /// The most bytes of this side's own that wait in a stream: 256 KiB.
  private static let ownLimit = 256 << 10

  /// Writes bytes of this side's own behind those of a stream, or drops them where too many wait.
  package func add(_ bytes: [UInt8], to key: Key) {
    guard let sink = sinks[key], !sink.isDeaf, sink.ownCount < Self.ownLimit else { return }
    // They have taken nothing of the window, and give nothing back.
    sinks[key]?.ownCount += bytes.count
    sinks[key]?.bytes += bytes
    drain(key)
  }

  /// Ends all that is left of a channel, whose number may then be used again.
  package func close(_ channel: UInt16) {
    for stream in RelayStream.allCases {
      let key = Key(channel, stream)
      stalled.remove(key)
      if let descriptor = sources.removeValue(forKey: key) {
        poller.forget(key: Self.pollerKey(key))
        Descriptors.close(descriptor)
      }
      if let sink = sinks.removeValue(forKey: key) {
        poller.forget(key: Self.pollerKey(key))
        sink.close()
      }
    }
    unwatch(channel)
    conversation.forget(channel)
  }
}

// MARK: - Turns

extension RelayPump {
  /// Waits, moves bytes, and returns what the owner has to know.
  package func turn(nanoseconds: Int64?) -> [Event] {
    flush()
    var ready: [(key: Int, Poller.Readiness)] = []
    if conversation.isBacklogged, !isBroken {
      trunkPoller.wait(nanoseconds: nanoseconds, into: &ready)
    } else {
      poller.wait(nanoseconds: nanoseconds, into: &ready)
    }
    for (key, _) in ready { handle(key) }
    flush()
    defer { events = [] }
    return events
  }

  private func handle(_ key: Int) {
    switch key {
    case TrunkKey.input: receive()
    case TrunkKey.output: break
    case TrunkKey.wakeUp: events.append(.woken)
    default:
      let channel = UInt16(truncatingIfNeeded: key / 4 - 1)
      guard let stream = RelayStream(rawValue: UInt8(key % 4)) else {
        events.append(.ready(channel))
        return
      }
      let key = Key(channel, stream)
      if sinks[key] != nil { drain(key) } else if !readOnce(key) { lookForEnd(of: key) }
    }
  }

  /// Reads once, as much as may be sent; returns false if nothing is there.
  private func readOnce(_ key: Key) -> Bool {
    guard let descriptor = sources[key] else { return false }
    let room = conversation.room(for: key)
    guard room > 0 else {
      poller.forget(key: Self.pollerKey(key))
      stalled.insert(key)
      return true
    }
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
    guard case .bytes(let count)? = try? SystemIO.read(descriptor, into: piece) else {
      return false
    }
    conversation.send(.data(key.stream, Array(piece[..<count])), on: key.channel)
    return true
  }

  private func lookForEnd(of key: Key) {
    guard let descriptor = sources[key] else { return }
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<1])
    switch try? SystemIO.read(descriptor, into: piece) {
    case .wouldBlock: break
    case .bytes: conversation.send(.data(key.stream, [buffer[0]]), on: key.channel)
    case .endOfFile, nil: endReading(key)
    }
  }

  private func endReading(_ key: Key) {
    guard let descriptor = sources.removeValue(forKey: key) else { return }
    stalled.remove(key)
    poller.forget(key: Self.pollerKey(key))
    Descriptors.close(descriptor)
    conversation.send(.end(key.stream), on: key.channel)
  }

  private func watch(_ key: Key) {
    guard let descriptor = sources[key] else { return }
    poller.watch(descriptor, for: .readable, key: Self.pollerKey(key))
  }

  /// Watches those again whose windows have room again.
  private func watchStalled() {
    for key in stalled where conversation.room(for: key) > 0 {
      stalled.remove(key)
      watch(key)
    }
  }

  /// Reads once from the other side.
  private func receive() {
    switch try? SystemIO.read(input, into: buffer) {
    case .bytes(let count):
      received += UInt64(count)
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    case .wouldBlock: break
    case .endOfFile, nil: breakOff()
    }
  }

  /// Takes bytes of the other side that its owner has read.
  package func take(_ bytes: UnsafeRawBufferPointer) {
    var frames: [(UInt16, RelayFrame)] = []
    do throws(Violation) {
      try conversation.receive(bytes) { frames.append(($0, $1)) }
    } catch {
      violation = error
    }
    for (channel, frame) in frames { handle(frame, on: channel) }
    if violation != nil { breakOff() }
    if !stalled.isEmpty { watchStalled() }
  }

  private func handle(_ frame: RelayFrame, on channel: UInt16) {
    switch frame {
    case .open:
      guard sinks[Key(channel, .input)] == nil else { return reject("a channel that is open") }
      conversation.forget(channel)
      sinks[Key(channel, .input)] = Sink()
      events.append(.opened(channel))
    case .signal(let number): events.append(.signal(channel, number))
    case .exit(let status): events.append(.exited(channel, status))
    case .end(let stream):
      sinks[Key(channel, stream)]?.hasEnded = true
      drain(Key(channel, stream))
    case .data(let stream, let bytes):
      let key = Key(channel, stream)
      guard sinks[key]?.isDeaf == false else {
        return conversation.note(passed: bytes.count, of: key)
      }
      sinks[key]?.bytes += bytes
      drain(key)
    case .grant: break
    }
  }

  /// The other side has sent what it may not.
  package func reject(_ what: String) {
    violation = violation ?? .unexpected(what)
    breakOff()
  }

  /// Sends nothing more, and takes nothing.
  package func breakOff() {
    isBroken = true
    for key in [TrunkKey.input, TrunkKey.output] {
      poller.forget(key: key)
      trunkPoller.forget(key: key)
    }
  }

  /// Writes as much of a stream as its descriptor takes.
  private func drain(_ key: Key) {
    guard var sink = sinks.removeValue(forKey: key) else { return }
    guard let descriptor = sink.descriptor else {
      sinks[key] = sink
      return
    }
    let passed = sink.write(to: descriptor)
    if passed > 0 { conversation.note(passed: passed, of: key) }
    guard !(sink.isEmpty && sink.hasEnded) else {
      poller.forget(key: Self.pollerKey(key))
      sink.close()
      return
    }
    sinks[key] = sink
    guard sink.awaitsRoom == sink.isEmpty else { return }
    sinks[key]?.awaitsRoom.toggle()
    poller.watch(descriptor, for: sink.isEmpty ? [] : .writable, key: Self.pollerKey(key))
  }

  /// Writes as much to the other side as it takes.
  package func flush() {
    guard !isBroken else { return }
    conversation.write { bytes in
      switch try? SystemIO.write(output, bytes) {
      case .bytes(let count): return count
      case .wouldBlock: return nil
      case .endOfFile, nil:
        isBroken = true
        return nil
      }
    }
    if isBroken { return breakOff() }
    guard conversation.hasPending != isAwaitingRoom else { return }
    isAwaitingRoom.toggle()
    watchTrunk(output, for: isAwaitingRoom ? .writable : [], key: TrunkKey.output)
  }
}
