import PoolWire

extension RunSteered {
  /// Appends the fields behind the type and the time.
  func append(to writer: inout JSONWriter) {
    writer.field("action", word)
    writer.optionalNumber("user", asker.user)
    writer.optionalNumber("pid", asker.process)
    writer.optional("command", asker.command) { $0.byteText($1) }
    var (targets, width, before): (CancelledTargets?, Int?, Int?) = (nil, nil, nil)
    switch action {
    case .cancel(let cancelled): targets = cancelled
    case .scale(let count, let from): (width, before) = (count, from)
    case .pause, .unpause: break
    }
    writer.optional("operations", targets?.numbers) { writer, numbers in
      writer.array(numbers) { $0.integer($1 + 1) }
    }
    writer.optionalNumber("cancelled", targets?.count)
    writer.optionalNumber("skipped", targets?.skippedCount)
    writer.optionalNumber("width", width)
    writer.optionalNumber("before", before)
  }

  private var word: StaticString {
    switch action {
    case .cancel: "cancel"
    case .scale: "scale"
    case .pause: "pause"
    case .unpause: "unpause"
    }
  }

  /// The record with no more numbers than a short line has.
  var cut: Self {
    guard case .cancel(var targets) = action, targets.numbers.count > RunRecord.shortEdgesLimit
    else { return self }
    targets.numbers = Array(targets.numbers.prefix(RunRecord.shortEdgesLimit))
    return Self(.cancel(targets), by: asker)
  }

  init(_ fields: JSONFields) throws(JSONError) {
    let asker = Asker(
      user: try fields.number("user"),
      process: try fields.number("pid"),
      command: try fields.bytes("command")
    )
    self.init(try Self.action(fields), by: asker)
  }

  private static func action(_ fields: JSONFields) throws(JSONError) -> Action {
    switch try fields.text("action") {
    case "cancel":
      let targets = CancelledTargets(
        try numbers(fields),
        count: try fields.number("cancelled") ?? 0,
        skipped: try fields.number("skipped") ?? 0
      )
      return .cancel(targets)
    case "scale": return .scale(to: try width("width", fields), from: try width("before", fields))
    case "pause": return .pause
    case "unpause": return .unpause
    default: throw JSONError(.expected("an action that is known"), at: 0)
    }
  }

  private static func numbers(_ fields: JSONFields) throws(JSONError) -> [Int] {
    try fields.value("operations") { scanner throws(JSONError) in
      var numbers: [Int] = []
      var isFirst = true
      try scanner.beginArray()
      while try scanner.hasElement(&isFirst) {
        let number: Int32 = try scanner.integer()
        guard number > 0 else { throw JSONError(.expected("numbers from 1"), at: 0) }
        numbers.append(Int(number) - 1)
      }
      return numbers
    } ?? []
  }

  private static func width(_ name: StaticString, _ fields: JSONFields) throws(JSONError) -> Int {
    guard let width = try fields.number(name, in: 1...1_000_000) else {
      throw JSONError(.expected("a field '\(name)'"), at: 0)
    }
    return width
  }
}
