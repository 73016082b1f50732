import CPoolSystem
import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Waits until one of several descriptors can be read or written.
///
/// Each descriptor has the key under which it was added. A few are polled with `poll`; for many,
/// the system itself keeps track, if it can: ``ReadinessQueue``.
package struct Poller {
  /// What a descriptor is watched for, or is ready for.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let readable = Self(rawValue: 1)
    package static let writable = Self(rawValue: 2)
  }

  /// Number of descriptors from which on the system's queue is used.
  package static let many = 24

  /// The watched descriptors, by place; places are reused.
  ///
  /// A free place has descriptor -1, which `poll` skips.
  private var entries: [pollfd] = []
  private var owners: [Owner] = []
  private var free: [Int] = []
  private var places: [Int: Int] = [:]
  /// The place that watches a descriptor; the last one if there are several.
  private var watchers: [Int32: Int] = [:]
  private(set) var queue: ReadinessQueue?
  /// Number of descriptors from which on there is a queue.
  private var queueStart: Int
  private let makeQueue: @Sendable () -> ReadinessQueue?

  /// The key of a place's current owner, and the number of earlier owners.
  private struct Owner {
    var key: Int
    var generation: UInt32
  }

  /// Uses a queue from this number of descriptors on, if one can be created.
  package init(
    queueFrom start: Int = Self.many,
    makeQueue: @escaping @Sendable () -> ReadinessQueue? = { ReadinessQueue() }
  ) {
    queueStart = start
    self.makeQueue = makeQueue
  }

  /// Watches a descriptor under a free key, or changes what it is watched for; an empty set forgets
  /// it.
  package mutating func watch(_ descriptor: Int32, for readiness: Readiness, key: Int) {
    guard !readiness.isEmpty else { return forget(key: key) }
    let place = places[key] ?? take(descriptor, key)
    let before = entries[place].events
    entries[place].events = Self.events(readiness)
    if queue == nil { return beginQueue() }
    if !change(place, from: before) { endQueue() }
  }

  /// Stops watching a descriptor.
  ///
  /// If the descriptor is closed, call this before the next wait, and before its number is reused
  /// and watched again.
  package mutating func forget(key: Int) {
    guard let place = places.removeValue(forKey: key) else { return }
    let before = entries[place].events
    entries[place].events = 0
    // The number may belong to another file by now. It is no failure that the descriptor is closed.
    if watchers[entries[place].fd] == place {
      watchers[entries[place].fd] = nil
      _ = change(place, from: before)
    }
    entries[place].fd = -1
    owners[place].generation &+= 1
    free.append(place)
  }

  /// Gives a descriptor a place.
  private mutating func take(_ descriptor: Int32, _ key: Int) -> Int {
    let place = free.popLast() ?? entries.count
    if place == entries.count {
      entries.append(pollfd())
      owners.append(Owner(key: key, generation: 0))
    }
    entries[place] = pollfd(fd: descriptor, events: 0, revents: 0)
    owners[place].key = key
    places[key] = place
    watchers[descriptor] = place
    return place
  }

  /// Waits until a descriptor is ready, at most this many nanoseconds; nil waits without limit.
  ///
  /// Appends each ready key to the list. A descriptor at its end, or in error, counts as readable,
  /// because reading reports which it is.
  package mutating func wait(nanoseconds: Int64?, into ready: inout [(key: Int, Readiness)]) {
    LockWatch.assertUnlocked()
    // Rounded up: rounding down would turn the last millisecond into a busy loop.
    let milliseconds =
      nanoseconds.map { Int32(clamping: max($0, 0).saturatingSum(999_999) / 1_000_000) } ?? -1
    guard let queue else { return poll(milliseconds, into: &ready) }
    wait(for: queue, milliseconds, into: &ready)
  }
}

// MARK: - poll

extension Poller {
  private mutating func poll(_ milliseconds: Int32, into ready: inout [(key: Int, Readiness)]) {
    #if canImport(Darwin)
    let count = Darwin.poll(&entries, nfds_t(entries.count), milliseconds)
    #else
    let count = Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
    #endif
    guard count >= 0 else { return assumeReady(&ready) }
    var rest = count
    for (place, entry) in entries.enumerated() where entry.revents != 0 {
      let readiness = Self.readiness(entry)
      if !readiness.isEmpty { ready.append((owners[place].key, readiness)) }
      rest -= 1
      if rest == 0 { break }
    }
  }

  /// The system cannot report what is ready: after a pause every descriptor is tried, because none
  /// blocks.
  private func assumeReady(_ ready: inout [(key: Int, Readiness)]) {
    guard errno != EINTR else { return }
    usleep(1_000)
    for (place, entry) in entries.enumerated() where entry.fd >= 0 {
      let isForWriting = entry.events & Int16(POLLOUT) != 0
      ready.append((owners[place].key, isForWriting ? .writable : .readable))
    }
  }

  private static func events(_ readiness: Readiness) -> Int16 {
    (readiness.contains(.readable) ? Int16(POLLIN) : 0)
      | (readiness.contains(.writable) ? Int16(POLLOUT) : 0)
  }

  private static func readiness(_ entry: pollfd) -> Readiness {
    var readiness: Readiness = []
    let failed = Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
    if entry.revents & Int16(POLLIN) != 0 { readiness.insert(.readable) }
    if entry.revents & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
    if entry.revents & failed != 0 { readiness.insert(readinessToFail(entry)) }
    return readiness
  }

  /// The readiness that lets the caller notice an end, or an error.
  private static func readinessToFail(_ entry: pollfd) -> Readiness {
    entry.events & Int16(POLLOUT) != 0 ? .writable : .readable
  }
}

// MARK: - The system's queue

extension Poller {
  /// Waits with the queue.
  ///
  /// An event of a descriptor that was closed before it was forgotten, and that another process
  /// still has open, does no harm: it has an older generation's tag.
  private mutating func wait(
    for queue: ReadinessQueue,
    _ milliseconds: Int32,
    into ready: inout [(key: Int, Readiness)]
  ) {
    var isStale = false
    let isKnown = queue.wait(milliseconds: milliseconds) { tag, bits in
      let place = Int(truncatingIfNeeded: tag & UInt64(UInt32.max))
      guard owners[place].generation == UInt32(tag >> 32), entries[place].fd >= 0 else {
        isStale = true
        return
      }
      ready.append((owners[place].key, Self.readiness(bits, of: entries[place])))
    }
    if isStale {
      // It cannot be removed from the queue, and would end every wait at once.
      self.queue = nil
      beginQueue()
    } else if !isKnown, errno != EINTR {
      endQueue()
    }
  }

  /// Moves the watched descriptors to a queue, if there are enough.
  ///
  /// If too few descriptors are left for a queue, the next call of `watch` tries again.
  private mutating func beginQueue() {
    guard places.count >= queueStart, let queue = makeQueue() else { return }
    self.queue = queue
    for place in places.values.sorted() where !change(place, from: 0) { return endQueue() }
  }

  /// A descriptor cannot be watched by a queue, such as a file's: from now on no queue is used.
  private mutating func endQueue() {
    queue = nil
    queueStart = .max
  }

  /// Tells the queue what a descriptor is watched for; false if the queue refuses it.
  private func change(_ place: Int, from before: Int16) -> Bool {
    guard let queue else { return true }
    let (entry, generation) = (entries[place], owners[place].generation)
    let tag = UInt64(generation) << 32 | UInt64(place)
    return queue.change(entry.fd, tag: tag, from: Self.bits(before), to: Self.bits(entry.events))
  }

  private static func bits(_ events: Int16) -> ReadinessQueue.Bits {
    (events & Int16(POLLIN) != 0 ? Int32(OPOOL_READABLE) : 0)
      | (events & Int16(POLLOUT) != 0 ? Int32(OPOOL_WRITABLE) : 0)
  }

  private static func readiness(_ bits: ReadinessQueue.Bits, of entry: pollfd) -> Readiness {
    let known = Int32(OPOOL_READABLE) | Int32(OPOOL_WRITABLE)
    let readiness = Readiness(rawValue: UInt8(truncatingIfNeeded: bits & known))
    let hasFailed = bits & Int32(OPOOL_FAILED) != 0
    return hasFailed ? readiness.union(readinessToFail(entry)) : readiness
  }
}
