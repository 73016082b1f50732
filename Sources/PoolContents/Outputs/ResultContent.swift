package import PoolSystem
import PoolWire

/// The result of an operation, as JSON that is read in pieces: a text of many MB is never built.
package enum ResultContent: PiecewiseContent, Sendable {
  /// JSON, or a packed value, which was checked.
  case here([UInt8])
  /// JSON in a file.
  case file(OutputFile)

  /// Values of at most so many bytes are handled as a whole: 64 KiB.
  private static let smallCount = 64 << 10

  /// A result as it was received.
  package init(_ bytes: [UInt8]) { self = .here(bytes) }

  /// The JSON of a file; a small one is read at once, and nil if that fails.
  package init?(_ file: OutputFile) {
    self = .file(file)
    guard isSmall else { return }
    guard let json = try? json() else { return nil }
    self = .here(json)
  }

  /// Whether its JSON may be made as a whole.
  package var isSmall: Bool { storedCount <= Self.smallCount }

  /// Number of bytes that it has where it is; its JSON may be longer.
  package var storedCount: Int {
    switch self {
    case .here(let bytes): bytes.count
    case .file(let file): file.range.count
    }
  }

  /// Number of its bytes that are in memory.
  package var inlineCount: Int {
    if case .here(let bytes) = self { bytes.count } else { 0 }
  }

  /// The whole JSON, for a small result.
  package func json() throws(SystemFailure) -> [UInt8] {
    if case .here(let bytes) = self, !PackedValue.isPacked(bytes) { return bytes }
    var json: [UInt8] = []
    try forEachPiece { json += $0 }
    return json
  }

  /// Passes the JSON to the closure, in pieces.
  package func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    switch self {
    case .here(let bytes): try PackedValue.forEachPiece(ofJSON: bytes, body)
    case .file(let file): try SystemIO.forEachPiece(of: file.descriptor, file.range, body)
    }
  }
}
