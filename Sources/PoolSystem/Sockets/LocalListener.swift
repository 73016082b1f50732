import CPoolSystem
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A local socket by which other processes of the same user, or of root, ask this one.
package final class LocalListener: Sendable {
  /// Its path.
  package let path: [UInt8]
  private let descriptor: Int32
  private let isClosed = Atomic(false)

  /// Makes a socket of that name; throws if the path is too long for one, or taken.
  package init(path: [UInt8]) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    guard geteuid() != Self.overflowUser else {
      throw SystemFailure(
        call: "bind",
        code: EPERM,
        explanation: "this user cannot be told from users that the system does not know"
      )
    }
    descriptor = path.withCString { opool_listen($0) }
    guard descriptor >= 0 else { throw .last("bind") }
    self.path = path
  }

  deinit { Descriptors.close(descriptor) }

  /// Waits for the next client; nil when the socket is closed.
  ///
  /// A client has so many milliseconds for each read and write.
  package func accept(milliseconds: Int32) -> Int32? {
    while !isClosed.load(ordering: .acquiring) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Self.pause) > 0 else { continue }
      let client = opool_accept(descriptor)
      if client < 0 {
        // Too many open files, or a socket that was closed: neither may keep a processor busy.
        usleep(10_000)
        continue
      }
      if Self.isTrusted(client), opool_limit_socket(client, milliseconds) == 0 { return client }
      Descriptors.close(client)
    }
    return nil
  }

  /// A closed socket is noticed at the latest after so many milliseconds.
  private static let pause: Int32 = 500

  /// What a user namespace does not know is shown as this user, whoever it is.
  private static let overflowUser: uid_t = 65_534

  private static func isTrusted(_ client: Int32) -> Bool {
    var user: uid_t = 0
    guard opool_peer_user(client, &user) == 0 else { return false }
    return user == 0 || user == geteuid() && user != overflowUser
  }

  /// Removes the name, and ends ``accept(milliseconds:)``; a second call does nothing.
  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    FilePath.remove(path)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
