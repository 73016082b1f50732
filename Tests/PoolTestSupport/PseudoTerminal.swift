import Foundation
import PoolModel
import PoolSystem

/// A terminal without a person: what is typed, and what is shown, come from and go to a test.
public final class PseudoTerminal {
  /// Everything that was sent to the screen.
  public private(set) var bytes: [UInt8] = []
  /// How many bytes had come at which times, in nanoseconds since 1970.
  public private(set) var arrivals: [(byteCount: Int, at: Int64)] = []
  /// The path of the side that programs use.
  public let path: String

  private let columns: Int
  private var main: Int32

  /// Opens a terminal of that width, which no process has yet.
  public init(columns: Int = 80) throws {
    self.columns = columns
    (main, path) = try Self.open(columns: columns)
  }

  deinit {
    hangUp()
  }

  /// What is to be seen by now.
  public var screen: ScreenModel {
    var screen = ScreenModel(columns: columns)
    screen.receive(String(decoding: bytes, as: UTF8.self))
    return screen
  }

  /// What was to be seen from each time on.
  public var history: [(screen: ScreenModel, at: Int64)] {
    var screen = ScreenModel(columns: columns)
    var start = 0
    return arrivals.map { byteCount, time in
      screen.receive(String(decoding: bytes[start..<byteCount], as: UTF8.self))
      start = byteCount
      return (screen, time)
    }
  }

  /// All that was sent, as text.
  public var transcript: String { String(decoding: bytes, as: UTF8.self) }

  /// Opens the side that programs use, without making it a controlling terminal.
  public func open() throws -> Int32 {
    let descriptor = Foundation.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure.last("open") }
    return descriptor
  }

  /// Types something.
  public func type(_ text: String) throws {
    try SystemIO.writeAll(main, Array(text.utf8))
  }

  /// Closes the window, or cuts the connection.
  public func hangUp() {
    guard main >= 0 else { return }
    Descriptors.close(main)
    main = -1
  }

  /// Reads until the condition holds; false where it did not within a minute, or nothing more
  /// comes.
  public func wait(until condition: (PseudoTerminal) -> Bool) -> Bool {
    let deadline = MonotonicClock.now + .seconds(60)
    while !condition(self) {
      guard MonotonicClock.now < deadline, read() else { return condition(self) }
    }
    return true
  }

  /// Reads until every program has closed it.
  public func readToEnd() {
    _ = wait { _ in false }
  }

  /// Reads what is there; false at the end.
  private func read() -> Bool {
    guard main >= 0 else { return false }
    var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 1_000) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(main, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer.prefix(count)
    arrivals.append((bytes.count, WallClock.nanoseconds))
    return true
  }
}
