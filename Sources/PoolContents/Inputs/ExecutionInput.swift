import PoolModel
import PoolSystem
import PoolWire

/// A file, or a part of one, that a command reads as its standard input.
///
/// This process holds it open until the operation has ended, so that each attempt reads the same. A
/// worker of this machine opens it by its path in `/proc`; to any other worker, the bytes are sent.
package struct ExecutionInput: Sendable {
  private let descriptor: Int32
  /// The offsets of the part; nil for the whole file.
  private let range: Range<Int64>?

  /// Refers to an open file; the caller closes it.
  package init(_ descriptor: Int32, _ range: Range<Int64>? = nil) {
    self.descriptor = descriptor
    self.range = range
  }

  /// The payload of a command with this input.
  package func payload(_ json: [UInt8], asFile takesFiles: Bool) throws(InputFailure) -> [UInt8] {
    guard var command = json.withUnsafeBytes({ try? CommandPayload(json: $0) }) else {
      preconditionFailure("only a command has a standard input")
    }
    command.standardInput = takesFiles ? .file(place) : .bytes(try bytes())
    return command.json
  }

  private var place: FilePart {
    let path = "/proc/\(CurrentProcess.identifier)/fd/\(descriptor)"
    return FilePart(path: Array(path.utf8), range: range)
  }

  /// All bytes, for a worker that opens no files.
  private func bytes() throws(InputFailure) -> [UInt8] {
    let bytes: [UInt8]
    let wanted: Int
    do throws(SystemFailure) {
      let size = try Descriptors.size(of: descriptor)
      let range = range ?? 0..<size
      wanted = range.count
      bytes = wanted > Frame.defaultLimit ? [] : try read(range)
    } catch {
      throw InputFailure("its standard input cannot be read: \(error)")
    }
    guard bytes.count == wanted else {
      let limit = "no frame can hold more than \(Frame.defaultLimit >> 20) MiB"
      let reason = wanted > Frame.defaultLimit ? limit : "the file was shortened meanwhile"
      throw InputFailure("its standard input cannot be sent: \(reason)")
    }
    return bytes
  }

  private func read(_ range: Range<Int64>) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    try SystemIO.forEachPiece(of: descriptor, range) { bytes.append(contentsOf: $0) }
    return bytes
  }
}
