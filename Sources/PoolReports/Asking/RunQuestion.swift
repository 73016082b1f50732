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
    /// What an operation has written.
    case output(OutputQuestion)
    /// Cancel the operations, or open members of groups, with these identifiers.
    case cancel([[UInt8]])
    /// Execute so many operations at once.
    case scale(Int)
    /// Begin nothing until told to.
    case pause
    case unpause
    /// What has become of the request with this number.
    case again(UInt64)
  }

  /// Which part of an operation's output is asked for.
  package struct OutputQuestion: Hashable, Sendable {
    /// Its identifier, UTF-8.
    package var id: [UInt8]
    /// Number of bytes of its output and of its error output that the asker has.
    package var output: Int64
    package var error: Int64
    /// Whether the asker asks again until it has everything: the end of the run waits for it.
    package var isFollowing: Bool

    package init(id: [UInt8], output: Int64, error: Int64, isFollowing: Bool) {
      (self.id, self.isFollowing) = (id, isFollowing)
      (self.output, self.error) = (max(output, 0), max(error, 0))
    }
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
    case .output(let question):
      writer.field("ask", "output")
      writer.key("id")
      writer.string(question.id)
      writer.field("stdout", question.output)
      writer.field("stderr", question.error)
      writer.key("follow")
      writer.bool(question.isFollowing)
    case .cancel(let ids):
      writer.field("ask", "cancel")
      writer.key("ids")
      writer.array(ids) { $0.string($1) }
    case .scale(let width):
      writer.field("ask", "scale")
      writer.field("width", width)
    case .pause: writer.field("ask", "pause")
    case .unpause: writer.field("ask", "unpause")
    case .again(let number):
      writer.field("ask", "again")
      writer.field("number", number)
    }
    writer.key("json")
    writer.bool(wantsJSON)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// Reads a line; throws if it is no question of this version.
  package init(_ line: [UInt8]) throws(JSONError) {
    let fields = try JSONFields(line[...])
    let version = try fields.integer("opool")
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
    case "output":
      guard let id = try fields.text("id") else {
        throw JSONError(.expected("a field 'id'"), at: 0)
      }
      let question = OutputQuestion(
        id: Array(id.utf8),
        output: Int64(try fields.integer("stdout") ?? 0),
        error: Int64(try fields.integer("stderr") ?? 0),
        isFollowing: try fields.isTrue("follow")
      )
      subject = .output(question)
    case "cancel": subject = .cancel(try Self.ids(fields))
    case "scale":
      subject = .scale(try Self.demand(try fields.integer("width"), "width"))
    case "pause": subject = .pause
    case "unpause": subject = .unpause
    case "again":
      let number = try Self.demand(try fields.integer("number"), "number")
      subject = .again(UInt64(clamping: number))
    default: throw JSONError(.expected("a question that is known"), at: 0)
    }
    wantsJSON = try fields.isTrue("json")
  }

  private static func ids(_ fields: JSONFields) throws(JSONError) -> [[UInt8]] {
    let ids = try fields.value("ids") { scanner throws(JSONError) in
      var ids: [[UInt8]] = []
      var isFirst = true
      try scanner.beginArray()
      while try scanner.hasElement(&isFirst) { ids.append(Array(try scanner.string().utf8)) }
      return ids
    }
    return try demand(ids.flatMap { $0.isEmpty ? nil : $0 }, "ids")
  }

  private static func demand<Value>(
    _ value: Value?,
    _ name: StaticString
  ) throws(JSONError) -> Value {
    guard let value else { throw JSONError(.expected("a field '\(name)'"), at: 0) }
    return value
  }
}

/// What a run answers: a line of JSON that says whether it could, and the text for the one who has
/// asked.
package struct RunAnswer: Hashable, Sendable {
  /// The most seconds that are waited for what a run has not done yet: a day.
  private static let longestLimit = 86_400

  /// Whether the text is an answer; otherwise it says why there is none.
  package var isAnswer: Bool
  /// Lines for people, or of JSON, each with its end.
  package var text: [UInt8]
  /// Where to ask again, because what was asked for goes on; nil for an answer that stays.
  package var pending: Pending?

  /// A request that the run has not met yet.
  package struct Pending: Hashable, Sendable {
    /// The number of the request.
    package var number: UInt64
    /// Seconds within which it should be met.
    package var limit: Int

    package init(number: UInt64, limit: Int) {
      (self.number, self.limit) = (number, limit)
    }
  }

  package init(_ text: [UInt8], isAnswer: Bool = true, pending: Pending? = nil) {
    (self.text, self.isAnswer, self.pending) = (text, isAnswer, pending)
  }

  /// The bytes that are sent.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("opool", RunQuestion.version)
    writer.key("ok")
    writer.bool(isAnswer)
    if let pending {
      writer.field("pending", pending.number)
      writer.field("limit", pending.limit)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes + text
  }

  /// Reads what was sent; throws if it is no answer of this version.
  package init(received bytes: [UInt8]) throws(JSONError) {
    let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let fields = try JSONFields(head)
    let version = try fields.integer("opool")
    guard version == RunQuestion.version else {
      throw JSONError(.expected("an answer of version \(RunQuestion.version)"), at: 0)
    }
    isAnswer = try fields.isTrue("ok")
    let limit = min(max(try fields.integer("limit") ?? 0, 0), Self.longestLimit)
    pending = try fields.integer("pending").map { number in
      Pending(number: UInt64(clamping: number), limit: limit)
    }
    text = Array(bytes.dropFirst(head.count + 1))
  }
}
