import PoolModel
import PoolSystem
import Synchronization

/// A file that says how many operations execute at once, looked at again and again.
final class WidthFile: Sendable {
  /// What has changed.
  struct Change {
    /// The new number; nil if the file no longer contains one, so that the last one stays.
    var width: Int?
    var message: String
  }

  /// Nanoseconds between two looks: a quarter of a second.
  static let interval = Int64.milliseconds(250)

  private let path: [UInt8]
  private let latest: Mutex<Result<Int, WidthFileError>>
  private let number: Atomic<Int>

  init(_ path: [UInt8], _ width: Int) {
    self.path = path
    latest = Mutex(.success(width))
    number = Atomic(width)
  }

  /// The number that holds.
  var width: Int { number.load(ordering: .relaxed) }

  /// Reads the file; returns the change, if any.
  func readAgain() -> Change? {
    // Opening a FIFO would wait for its writer.
    let isReadable = FileIdentity(path: path)?.isRegular ?? true
    let result = Result { () throws(WidthFileError) in
      guard isReadable else { throw WidthFileError(reason: "not a regular file any more") }
      return try RunWidth.read(path)
    }
    let isNews = latest.withLock { latest in
      defer { latest = result }
      return latest != result
    }
    guard isNews else { return nil }
    switch result {
    case .success(let width):
      number.store(width, ordering: .relaxed)
      let name = Printable.text(path)
      return Change(width: width, message: "-j: \(width) at once, as \(name) says")
    case .failure(let error):
      return Change(message: "\(error.message(path)); \(width) at once as before")
    }
  }
}
