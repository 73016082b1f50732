import PoolModel
import PoolWire

@testable import PoolConformance

/// A conversation by the steps of a case, with what a worker might do.
struct Conversed {
  private(set) var conversation: Conversation
  private(set) var time = Instant.zero

  /// Nanoseconds that a step may take.
  static let limit = Int64.seconds(5)

  init(_ steps: String...) throws {
    let json =
      #"{"title":"t","section":"1","paragraph":"p","steps":[\#(steps.joined(separator: ","))]}"#
    let test = try ConformanceCase(name: "test", json: json.utf8)
    guard case .steps(let steps) = test.content else { preconditionFailure("it has steps") }
    conversation = Conversation(steps, Placeholders(kind: "k", works: [:]), within: Self.limit)
  }

  /// What follows now.
  mutating func next() -> Conversation.Demand { conversation.next(at: time) }

  /// What follows after a time.
  mutating func next(after nanoseconds: Int64) -> Conversation.Demand {
    time = time.advanced(by: nanoseconds)
    return next()
  }

  /// The texts that are written next, without what is around the JSON.
  mutating func written() -> [String] {
    guard case .write(let pieces) = next() else { return [] }
    var decoder = FrameDecoder(preamble: .none)
    pieces.joined().withContiguousBytes { decoder.append($0) }
    var texts: [String] = []
    while let text = try? decoder.next({ String(decoding: $0.dropLast(), as: UTF8.self) }) {
      texts.append(text)
    }
    return texts
  }

  /// The worker writes the magic line.
  mutating func greet() { hear(raw: Frame.magic) }

  /// The worker writes messages.
  mutating func hear(_ messages: String...) {
    for message in messages {
      let body = Array(message.utf8) + [UInt8(ascii: "\n")]
      hear(raw: withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body)
    }
  }

  /// The worker writes bytes.
  mutating func hear(raw bytes: [UInt8]) { bytes.withUnsafeBytes { conversation.received($0) } }

  mutating func hearError(_ text: String) {
    Array(text.utf8).withUnsafeBytes { conversation.receivedError($0) }
  }

  mutating func endOutput() { conversation.outputEnded() }

  /// The worker ends its output, and exits.
  mutating func exit(_ code: Int32) {
    endOutput()
    conversation.exited(.exited(code))
  }

  mutating func found(_ processes: [Int32]) { conversation.found(processes: processes) }

  var message: String? { conversation.outcome?.message }
  var rules: [ConversationRules.Rule] { conversation.findings.map(\.rule) }
}

extension FlattenSequence<[[UInt8]]> {
  fileprivate func withContiguousBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    Array(self).withUnsafeBytes(body)
  }
}
