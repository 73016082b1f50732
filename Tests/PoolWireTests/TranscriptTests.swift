import PoolConformance
import PoolWire
import Testing

/// The transcripts are conversations that keep to every rule, and the checker notices when one
/// does not.
@Suite("Transcripts")
struct TranscriptTests {
  private static func all() throws -> [(name: String, transcript: Transcript)] {
    let all = try GoldenFolder.transcripts().map { ($0.name, try Transcript($0.text)) }
    #expect(all.count >= 6)
    return all
  }

  /// Checks the messages in this order.
  private func check(_ messages: [AnyMessage]) throws(ConversationRules.Broken) {
    var rules = ConversationRules()
    for message in messages {
      if let broken = message.breaches(of: &rules).first { throw broken }
    }
    if let broken = rules.end().first { throw broken }
  }

  @Test("Each line is written as it stands there")
  func roundTrips() throws {
    for (name, transcript) in try Self.all() {
      for line in transcript.lines {
        #expect(line.message.body == line.body, "\(name):\(line.number)")
      }
    }
  }

  @Test("Each conversation keeps to the order rules")
  func order() throws {
    for (name, transcript) in try Self.all() {
      #expect(throws: Never.self, "\(name)") { try check(transcript.lines.map(\.message)) }
    }
  }

  @Test("Without any one answer, or with one or a start twice, the rules are broken")
  func spoiltOrder() throws {
    for (name, transcript) in try Self.all() {
      let messages = transcript.lines.map(\.message)
      for (index, message) in messages.enumerated() where message.isAnswer || message.isStart {
        var more = messages
        more.insert(message, at: index)
        #expect(throws: ConversationRules.Broken.self, "\(name) with \(index) twice") {
          try check(more)
        }
        guard message.isAnswer else { continue }
        var fewer = messages
        fewer.remove(at: index)
        #expect(throws: ConversationRules.Broken.self, "\(name) without \(index)") {
          try check(fewer)
        }
      }
    }
  }

  @Test("Each side's bytes, as one stream cut into small pieces, are the same messages")
  func streams() throws {
    for (name, transcript) in try Self.all() {
      var worker = StreamReader(preamble: .magic)
      var coordinator = StreamReader(preamble: .none)
      try feed(transcript.workerStream, to: &worker)
      try feed(transcript.coordinatorStream, to: &coordinator)
      #expect(worker.noise == transcript.noise, "\(name)")
      let bodies = transcript.lines.reduce(into: (worker: [[UInt8]](), coordinator: [[UInt8]]())) {
        if case .worker = $1.message {
          $0.worker.append($1.body)
        } else {
          $0.coordinator.append($1.body)
        }
      }
      #expect(worker.bodies == bodies.worker, "\(name)")
      #expect(coordinator.bodies == bodies.coordinator, "\(name)")
    }
  }

  private func feed(_ stream: [UInt8], to reader: inout StreamReader) throws {
    for start in stride(from: 0, to: stream.count, by: 13) {
      try reader.feed(stream[start..<min(start + 13, stream.count)])
    }
    try reader.end()
  }
}

extension AnyMessage {
  /// What the message breaks.
  fileprivate func breaches(of rules: inout ConversationRules) -> [ConversationRules.Broken] {
    switch self {
    case .coordinator(let message): rules.hear(message)
    case .worker(let message): rules.hear(message)
    }
  }

  /// Whether it is the one answer to an `execute`.
  fileprivate var isAnswer: Bool {
    switch self {
    case .worker(.finished), .worker(.cancelled), .worker(.returned): true
    default: false
    }
  }

  /// Whether it is the first `executing` of an operation.
  fileprivate var isStart: Bool {
    if case .worker(.executing(_, nil)) = self { return true }
    return false
  }
}
