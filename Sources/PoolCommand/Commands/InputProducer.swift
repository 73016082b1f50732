import PoolInputs
import Synchronization

/// Reads the inputs of a `map` from its sources.
final class InputProducer: WorkloadProducer {
  /// Number of inputs, and of their bytes, that are submitted together at most.
  private static let pieceLimit = 4_096
  private static let pieceByteLimit = 1 << 20

  let inputs: InputList
  /// The files that it reads.
  let files: [InputFile]
  /// Locked by the producer's thread, as long as it lives.
  private let stream: Mutex<InputStream>
  /// The message if there was no input; nil for none.
  private let absence: String?

  /// Reads the rest of the stream.
  init(_ stream: sending InputStream, to inputs: InputList, absence: String? = nil) {
    self.inputs = inputs
    self.absence = absence
    files = stream.files
    self.stream = Mutex(stream)
  }

  /// Submits everything, including the inputs before an error.
  func produce(for session: RunSession) throws(InputError) {
    try stream.withLock { stream throws(InputError) in try produce(from: stream, for: session) }
    if let absence, inputs.count == 0, !session.flow.isOver { session.say(absence) }
  }

  private func produce(from stream: InputStream, for session: RunSession) throws(InputError) {
    var piece: [[[UInt8]]] = []
    var byteCount = 0
    /// Returns whether more is wanted.
    func submit() -> Bool {
      if !piece.isEmpty {
        let (operations, byteCount) = inputs.append(piece)
        session.submit(operations, byteCount: byteCount)
      }
      (piece, byteCount) = ([], 0)
      return session.wantsInput()
    }
    defer { _ = submit() }
    while let fields = try stream.next(beforeReading: submit) {
      piece.append(fields)
      byteCount += fields.reduce(0) { $0 + $1.count }
      let isFull = piece.count >= Self.pieceLimit || byteCount >= Self.pieceByteLimit
      if isFull, !submit() { return }
    }
  }
}
