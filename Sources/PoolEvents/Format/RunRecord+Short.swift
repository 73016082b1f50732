package import PoolModel
package import PoolWire

// The form of records in a journal, which keeps one or two for each operation: what has no value,
// or the usual one, is left out, and an operation is described where it begins.

extension RunRecord {
  /// The types of such lines.
  package static let shortTypes: Set<String> = [
    "runBegan", "edges", "submitted", "started", "attemptEnded", "retryPlanned", "ended",
    "workerGreeted", "workerEnded", "steered", "halted", "runEnded",
  ]

  /// Limits of texts, in bytes, by which a line stays below 64 KiB: of an identifier, of any other
  /// text, and of all arguments.
  package static let shortIDLimit = 1 << 10
  static let shortTextLimit = 2 << 10
  static let shortArgumentsLimit = 4 << 10
  /// The most numbers of dependencies in a line; others are in lines before it, of type `edges`.
  static let shortEdgesLimit = 2_000
  /// The most claims, and the most bytes of the name of one.
  static let shortClaimsLimit = 16
  static let shortNameLimit = 128

  /// Appends the record as a short line.
  ///
  /// An end on which no later run relies is told by a line of type `ended`; others are records of
  /// their own.
  package func append(shortTo writer: inout JSONWriter, at time: Instant) {
    begin(&writer, at: time)
    Self.end(&writer)
  }

  /// The same, with the operation that it is the first to tell of.
  package func append(
    shortTo writer: inout JSONWriter,
    at time: Instant,
    describing operation: SubmittedRecord
  ) {
    begin(&writer, at: time)
    operation.append(shortTo: &writer)
    Self.end(&writer)
  }

  private static func end(_ writer: inout JSONWriter) {
    writer.endObject()
    writer.endLine()
    writer.omitsNulls = false
  }

  private func begin(_ writer: inout JSONWriter, at time: Instant) {
    writer.omitsNulls = true
    writer.beginObject()
    writer.field("type", shortType)
    writer.field("at", seconds: time.nanoseconds)
    switch self {
    case .started(let record): record.append(shortTo: &writer)
    case .submitted(let record):
      writer.operation(record.number)
      record.append(shortTo: &writer)
    default: cut.appendFields(to: &writer)
    }
  }

  private var shortType: StaticString {
    if case .settled = self { "ended" } else { type }
  }

  /// The record with texts of limited length.
  private var cut: Self {
    func cut(_ text: String) -> String {
      guard text.utf8.count > Self.shortTextLimit else { return text }
      let bytes = WholeCharacters.prefix(of: Array(text.utf8), upTo: Self.shortTextLimit)
      return String(decoding: bytes, as: UTF8.self)
    }
    switch self {
    case .runBegan(var record):
      record.cutArguments(to: Self.shortArgumentsLimit)
      return .runBegan(record)
    case .attemptEnded(let record): return .attemptEnded(record.replacing(cut))
    case .settled(let record, let counts): return .settled(record.replacing(cut), counts: counts)
    case .retryPlanned(var record):
      record.reason = cut(record.reason)
      return .retryPlanned(record)
    case .workerEnded(var record):
      record.message = cut(record.message)
      return .workerEnded(record)
    case .steered(let record): return .steered(record.cut)
    default: return self
    }
  }
}

extension RunBegan {
  /// Leaves out arguments behind so many bytes, and says how many those are.
  fileprivate mutating func cutArguments(to limit: Int) {
    guard let all = arguments else { return }
    var rest = limit
    let kept = all.prefix { argument in
      rest -= argument.count + 1
      return rest >= 0
    }
    guard kept.count < all.count else { return }
    arguments = Array(kept) + [Array("… and \(all.count - kept.count) more".utf8)]
  }
}

extension AttemptStarted {
  fileprivate func append(shortTo writer: inout JSONWriter) {
    writer.operation(number)
    if attempt != 1 { writer.field("attempt", attempt) }
    writer.field("worker", worker.rawValue)
  }
}

extension SubmittedRecord {
  /// Whether not all dependencies are in the line that describes the operation.
  package var hasManyEdges: Bool { dependencies.count > RunRecord.shortEdgesLimit }

  /// Appends lines with the others.
  package func append(edgesTo writer: inout JSONWriter) {
    var rest = dependencies.dropFirst(RunRecord.shortEdgesLimit)
    while !rest.isEmpty {
      writer.beginObject()
      writer.field("type", "edges")
      writer.operation(number)
      Self.append(rest.prefix(RunRecord.shortEdgesLimit), to: &writer)
      writer.endObject()
      writer.endLine()
      rest = rest.dropFirst(RunRecord.shortEdgesLimit)
    }
  }

  private static func append(_ edges: ArraySlice<Dependency>, to writer: inout JSONWriter) {
    guard !edges.isEmpty else { return }
    writer.key("after")
    writer.beginObject()
    for requirement in PoolRequirement.allCases {
      let numbers = edges.filter { $0.requirement == requirement }.map { $0.number + 1 }
      guard !numbers.isEmpty else { continue }
      writer.key(Array(requirement.name.utf8))
      writer.array(numbers) { $0.integer($1) }
    }
    writer.endObject()
  }

  /// What differs from the most usual operation.
  fileprivate func append(shortTo writer: inout JSONWriter) {
    if !Self.is(description.id, number + 1) { writer.text("id", description.id) }
    if description.name != description.id { writer.text("name", description.name) }
    if let command = description.command {
      writer.key("command")
      writer.byteText(Array(command.prefix(RunRecord.shortTextLimit)))
      if command.count > RunRecord.shortTextLimit { writer.field("commandBytes", command.count) }
    } else if let kind {
      writer.text("kind", Array(kind.utf8))
    }
    writer.optionalNumber("members", memberCount)
    writer.optionalNumber("group", group.map { $0 + 1 })
    Self.append(dependencies.prefix(RunRecord.shortEdgesLimit), to: &writer)
    appendRequirements(shortTo: &writer)
  }

  /// Whether a text is that number.
  private static func `is`(_ text: [UInt8], _ number: Int) -> Bool {
    var rest = number
    for byte in text.reversed() {
      guard rest > 0, Int(byte) == 48 + rest % 10 else { return false }
      rest /= 10
    }
    return rest == 0
  }

  private func appendRequirements(shortTo writer: inout JSONWriter) {
    let claims = claims.prefix(RunRecord.shortClaimsLimit)
    if !claims.isEmpty {
      writer.key("claims")
      writer.objects(Array(claims)) { writer, claim in
        writer.text("name", claim.name, upTo: RunRecord.shortNameLimit)
        writer.field("units", claim.units)
        if claim.isExclusive {
          writer.key("exclusive")
          writer.bool(true)
        }
      }
    }
    if slots != 1 { writer.field("slots", slots) }
    if priority != .normal { writer.text("priority", Array(priority.name.utf8)) }
    if isBarrier {
      writer.key("barrier")
      writer.bool(true)
    }
    writer.optional("timeout", seconds: timeout)
    if retries != 0 { writer.field("retries", retries) }
    writer.optional("expected", seconds: expected)
  }
}

extension JSONWriter {
  /// A text that is cut.
  fileprivate mutating func text(
    _ name: StaticString,
    _ text: [UInt8],
    upTo limit: Int = RunRecord.shortIDLimit
  ) {
    key(name)
    string(WholeCharacters.prefix(of: text, upTo: limit))
  }
}
