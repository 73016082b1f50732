import PoolModel
import PoolWire

/// A message of either direction; which one it is of follows from its type.
enum AnyMessage: Hashable {
  case coordinator(CoordinatorMessage)
  case worker(WorkerMessage)

  /// The whole frame, after its attachment where it has one.
  var frame: [UInt8] { writer.joined }

  /// The frame's body.
  var body: [UInt8] { Array(writer.bytes.dropFirst(Frame.headerLength)) }

  private var writer: JSONWriter {
    var writer = JSONWriter()
    switch self {
    case .coordinator(let message): message.encode(into: &writer)
    case .worker(let message): message.encode(into: &writer)
    }
    return writer
  }

  /// Reads a stream that has one message of the same direction.
  func readLikewise(_ stream: [UInt8]) throws -> Self? {
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = PackedValue.limit
    stream.withUnsafeBytes { decoder.append($0) }
    var message: Self?
    switch self {
    case .coordinator:
      var operations: [Execute] = []
      message = try decoder.nextCoordinatorMessage(after: &operations).map { .coordinator($0) }
      if let operation = operations.first { message = .coordinator(.execute(operation)) }
    case .worker: try decoder.takeWorkerMessages { message = .worker($0) }
    }
    try decoder.end()
    return message
  }

  /// Reads a body as a message of the same direction.
  func decodeLikewise(_ body: [UInt8]) throws -> Self {
    switch self {
    case .coordinator: .coordinator(try CoordinatorMessage(bytes: body))
    case .worker: .worker(try WorkerMessage(bytes: body))
    }
  }
}

extension CoordinatorMessage {
  init(bytes: [UInt8]) throws(Violation) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(Violation) in
      try Self(scanning: UnsafeRawBufferPointer(bytes))
    }
  }
}

extension WorkerMessage {
  init(bytes: [UInt8]) throws(Violation) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(Violation) in
      try Self(body: UnsafeRawBufferPointer(bytes))
    }
  }
}

extension Array where Element == UInt8 {
  /// Lends the bytes to a scanner.
  func scanned<Value>(
    _ body: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    try withUnsafeBufferPointer { bytes throws(JSONError) in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      return try body(&scanner)
    }
  }
}

/// A frame around any body.
func frame(around body: [UInt8]) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) } + body
}

/// The dispatch that examples are about.
let exampleReference = DispatchReference(
  operation: OperationID(rawValue: 7),
  dispatch: DispatchNumber(rawValue: 12)
)
