import PoolSystem

/// Gathers an output that comes in pieces, in memory while it is small, then in a file.
struct OutputCollector {
  /// What is kept in memory: 64 KiB.
  private static let memoryLimit = 64 << 10

  private var bytes: [UInt8] = []
  private var descriptor: Int32?
  private var byteCount: Int64 = 0
  private var failure: String?

  /// Whether no piece has come.
  var isEmpty: Bool { byteCount == 0 }

  /// Appends a piece.
  mutating func append(_ piece: [UInt8]) {
    byteCount += Int64(piece.count)
    bytes += piece
    guard bytes.count > Self.memoryLimit, failure == nil else { return }
    do throws(SystemFailure) {
      try SystemIO.writeAll(try file(), bytes)
    } catch {
      failure = String(describing: error)
    }
    bytes.removeAll()
  }

  private mutating func file() throws(SystemFailure) -> Int32 {
    if let descriptor { return descriptor }
    let file = try TemporaryFile.open()
    descriptor = file
    return file
  }

  /// The whole output; the collector is empty afterwards.
  mutating func take() -> OutputContent {
    defer { self = OutputCollector() }
    guard let file = descriptor else { return failure.map { .unavailable($0) } ?? .inline(bytes) }
    let whole = OutputFile(descriptor: file, byteCount: byteCount)
    if let failure { return .unavailable(failure) }
    do throws(SystemFailure) {
      try SystemIO.writeAll(file, bytes)
    } catch {
      return .unavailable(String(describing: error))
    }
    return .file(whole)
  }
}
