import PoolModel
import PoolWire

/// What a worker has said and done in a conversation.
struct WorkerSide {
  /// A message of the worker.
  struct Heard {
    var message: JSONNode
    var frame: ShownFrame

    var type: String { message["type"]?.text ?? "" }
    var dispatch: String? { message["dispatch"]?.digits }
    var isAnswer: Bool { ["finished", "cancelled", "returned"].contains(type) }
  }

  /// Bytes that are no frames, after which nothing can be read.
  struct BrokenStream {
    var text: String
    var frame: ShownFrame
  }

  private(set) var rules = ConversationRules()
  private(set) var findings: [Conversation.Finding] = []
  private(set) var frames: [ShownFrame] = []
  private(set) var violation: BrokenStream?
  private(set) var errorText: [UInt8] = []
  private(set) var hasEnded = false
  var exit: PoolExitStatus?

  private var decoder: FrameDecoder
  private var queue: [Heard] = []
  private var head = 0

  /// Frames that are kept for a report.
  private static let frameCount = 12
  /// Bytes of the standard error that are kept: 64 KiB.
  private static let errorLimit = 64 << 10

  init() { decoder = FrameDecoder(preamble: .magic) }

  /// Takes the next message.
  mutating func take() -> Heard? {
    guard head < queue.count else {
      (queue, head) = ([], 0)
      return nil
    }
    head += 1
    return queue[head - 1]
  }

  mutating func show(_ frame: ShownFrame) {
    frames.append(frame)
    if frames.count > Self.frameCount { frames.removeFirst() }
  }

  /// The last lines of the standard error.
  var errorLines: [String] {
    let text = Printable.lines(String(decoding: errorText, as: UTF8.self))
    return text.split(separator: "\n").suffix(5).map(String.init)
  }

  /// Notes a message of the coordinator.
  mutating func noteSent(_ body: [UInt8], _ attachment: [UInt8]?) {
    let message = try? body.withUnsafeBufferPointer { bytes throws(Violation) in
      try CoordinatorMessage(scanning: UnsafeRawBufferPointer(bytes), attachment: attachment)
    }
    guard let message else { return }
    if case .welcome(let welcome) = message {
      decoder.attachmentLimit = welcome.attachmentLimit ?? 0
    }
    // What the coordinator breaks it breaks on purpose.
    _ = rules.hear(message)
  }
}

// MARK: - Receiving

extension WorkerSide {
  mutating func receivedError(_ bytes: UnsafeRawBufferPointer) {
    errorText += bytes
    if errorText.count > Self.errorLimit {
      errorText.removeFirst(errorText.count - Self.errorLimit)
    }
  }

  mutating func received(_ bytes: UnsafeRawBufferPointer) {
    guard violation == nil else { return }
    decoder.append(bytes)
    attend { decoder throws(Violation) in
      try decoder.next { Array($0) }
    }
  }

  mutating func outputEnded() {
    hasEnded = true
    guard violation == nil else { return }
    attend { decoder throws(Violation) in
      try decoder.end()
      return nil
    }
  }

  /// Hears all bodies that the decoder gives; what is no frame ends the stream.
  private mutating func attend(
    _ body: (inout FrameDecoder) throws(Violation) -> [UInt8]?
  ) {
    do throws(Violation) {
      while let bytes = try body(&decoder) {
        hear(bytes, decoder.takeAttachment())
      }
    } catch {
      let frame = ShownFrame(.fromWorker, raw: decoder.pendingExcerpt)
      show(frame)
      violation = BrokenStream(text: error.description, frame: frame)
    }
  }

  private mutating func hear(_ body: [UInt8], _ attachment: [UInt8]?) {
    let node = try? JSONNode(body)
    let frame = ShownFrame(.fromWorker, body: body, type: node?["type"]?.text)
    show(frame)
    if body.last != UInt8(ascii: "\n") { note(.lineFeed, "a frame without a line feed", frame) }
    do throws(Violation) {
      let message = try body.withUnsafeBufferPointer { bytes throws(Violation) in
        try WorkerMessage(scanning: UnsafeRawBufferPointer(bytes), attachment: attachment)
      }
      for broken in rules.hear(message) { note(broken.rule, broken.description, frame) }
    } catch {
      note(.validity, "the worker \(error)", frame)
    }
    if let node { queue.append(Heard(message: node, frame: frame)) }
  }

  private mutating func note(
    _ rule: ConversationRules.Rule,
    _ message: String,
    _ frame: ShownFrame
  ) {
    guard !findings.contains(where: { $0.rule == rule }) else { return }
    let failure = Conversation.Failure(message: message, frame: frame, frames: frames)
    findings.append(Conversation.Finding(rule: rule, failure: failure))
  }
}
