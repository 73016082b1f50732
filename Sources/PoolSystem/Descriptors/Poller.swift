#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Waits until one of several descriptors can be read or written: `poll`, with a kept list.
///
/// Each descriptor has the key under which it was added. A pool has few descriptors, and `poll` is
/// the same call on every system.
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

  private var entries: [pollfd] = []
  private var keys: [Int] = []
  private var places: [Int: Int] = [:]

  package init() {}

  /// Watches a descriptor under a free key, or changes what it is watched for.
  package mutating func watch(_ descriptor: Int32, for readiness: Readiness, key: Int) {
    let events = Self.events(readiness)
    if let place = places[key] {
      entries[place].events = events
      return
    }
    places[key] = entries.count
    keys.append(key)
    entries.append(pollfd(fd: descriptor, events: events, revents: 0))
  }

  /// Stops watching a descriptor.
  package mutating func forget(key: Int) {
    guard let place = places.removeValue(forKey: key) else { return }
    let last = entries.count - 1
    entries.swapAt(place, last)
    keys.swapAt(place, last)
    entries.removeLast()
    keys.removeLast()
    if place < last { places[keys[place]] = place }
  }

  /// Waits until a descriptor is ready, at most this many nanoseconds; nil waits without limit.
  ///
  /// Appends each ready key to the list. A descriptor at its end, or in error, is readable, since
  /// reading tells which.
  package mutating func wait(nanoseconds: Int64?, into ready: inout [(key: Int, Readiness)]) {
    LockWatch.assertUnlocked()
    // Rounded up: rounding down would turn the last millisecond into a busy loop.
    let milliseconds = nanoseconds.map { Int32(clamping: (max($0, 0) + 999_999) / 1_000_000) }
    let count = poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    guard count >= 0 else { return assumeReady(&ready) }
    for (place, entry) in entries.enumerated() where entry.revents != 0 {
      let readiness = Self.readiness(entry)
      if !readiness.isEmpty { ready.append((keys[place], readiness)) }
    }
  }

  /// The system cannot tell what is ready: after a pause every descriptor is tried, since none
  /// blocks.
  private func assumeReady(_ ready: inout [(key: Int, Readiness)]) {
    guard errno != EINTR else { return }
    usleep(1_000)
    for (place, entry) in entries.enumerated() {
      let isForWriting = entry.events & Int16(POLLOUT) != 0
      ready.append((keys[place], isForWriting ? .writable : .readable))
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
    if entry.revents & failed != 0 {
      readiness.insert(entry.events & Int16(POLLOUT) != 0 ? .writable : .readable)
    }
    return readiness
  }
}
