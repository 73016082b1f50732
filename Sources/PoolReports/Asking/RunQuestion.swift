package import PoolWire

/// What another process asks a run, as one line of JSON.
package struct RunQuestion: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// One line: how far the run is.
    case summary
    /// How far the run is, and what executes.
    case status
    /// What the operation or group with this identifier (UTF-8) waits for, or came to.
    case explanation([UInt8])
  }

  /// The version of questions and answers.
  package static let version = 1
  /// The most bytes of a question: an identifier of a manifest may be as long as a line.
  package static let limit = 1 << 20

  package var subject: Subject
  /// Whether the answer is JSON.
  package var wantsJSON: Bool

  package init(_ subject: Subject, wantsJSON: Bool) {
    (self.subject, self.wantsJSON) = (subject, wantsJSON)
  }

  /// The line, with its end.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("opool", Self.version)
    switch subject {
    case .summary: writer.field("ask", "summary")
    case .status: writer.field("ask", "status")
    case .explanation(let id):
      writer.field("ask", "explain")
      writer.key("id")
      writer.string(id)
    }
    writer.key("json")
    writer.bool(wantsJSON)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// Reads a line; throws if it is no question of this version.
  package init(_ line: [UInt8]) throws(JSONError) {
    let fields = try JSONFields(line)
    let version: Int? = try fields.number("opool")
    guard version == Self.version else {
      throw JSONError(.expected("a question of version \(Self.version)"), at: 0)
    }
    switch try fields.text("ask") {
    case "summary": subject = .summary
    case "status": subject = .status
    case "explain":
      guard let id = try fields.text("id") else {
        throw JSONError(.expected("a field 'id'"), at: 0)
      }
      subject = .explanation(Array(id.utf8))
    default: throw JSONError(.expected("a question that is known"), at: 0)
    }
    wantsJSON = try fields.isTrue("json")
  }
}

/// What a run answers: a line of JSON that says whether it could, and the text for the one who has
/// asked.
package struct RunAnswer: Hashable, Sendable {
  /// Whether the text is an answer; otherwise it says why there is none.
  package var isAnswer: Bool
  /// Lines for people, or of JSON, each with its end.
  package var text: [UInt8]

  package init(_ text: [UInt8], isAnswer: Bool = true) {
    (self.text, self.isAnswer) = (text, isAnswer)
  }

  /// The bytes that are sent.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("opool", RunQuestion.version)
    writer.key("ok")
    writer.bool(isAnswer)
    writer.endObject()
    writer.endLine()
    return writer.bytes + text
  }

  /// Reads what was sent; throws if it is no answer of this version.
  package init(received bytes: [UInt8]) throws(JSONError) {
    let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let fields = try JSONFields(head)
    let version: Int? = try fields.number("opool")
    guard version == RunQuestion.version else {
      throw JSONError(.expected("an answer of version \(RunQuestion.version)"), at: 0)
    }
    isAnswer = try fields.isTrue("ok")
    text = Array(bytes.dropFirst(head.count + 1))
  }
}
