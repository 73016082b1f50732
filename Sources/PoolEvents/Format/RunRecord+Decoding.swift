import PoolModel
import PoolWire

extension RunRecord {
  /// Reads a record of a type that is told in both forms; throws if a field is missing or wrong.
  init(_ fields: JSONFields, _ type: String) throws(JSONError) {
    switch type {
    case "runBegan": self = .runBegan(try RunBegan(fields))
    case "attemptEnded": self = .attemptEnded(try EndRecord(fields))
    case "retryPlanned": self = .retryPlanned(try RetryPlanned(fields))
    case "workerGreeted": self = .workerGreeted(try WorkerGreeted(fields))
    case "workerEnded": self = .workerEnded(try WorkerEnded(fields))
    case "steered": self = .steered(try RunSteered(fields))
    case "halted": self = .halted(try RunHalted(fields))
    case "runEnded": self = .runEnded(RunEnded(exitCode: try fields.demandNumber("exit")))
    default: throw JSONError(.expected("a record of a known type"), at: 0)
    }
  }
}

extension JSONFields {
  /// A number of any type; nil without one.
  func number<Number: FixedWidthInteger>(
    _ name: StaticString
  ) throws(JSONError) -> Number? {
    guard let integer = try integer(name) else { return nil }
    guard let number = Number(exactly: integer) else { throw JSONError(.numberOutOfRange, at: 0) }
    return number
  }

  /// A number within a range; nil without one.
  func number(_ name: StaticString, in range: ClosedRange<Int>) throws(JSONError)
    -> Int?
  {
    guard let number = try integer(name) else { return nil }
    guard range.contains(number) else {
      throw JSONError(
        .expected("a field '\(name)' from \(range.lowerBound) to \(range.upperBound)"),
        at: 0
      )
    }
    return number
  }

  /// A number of seconds, in nanoseconds, that is not negative; nil without one.
  fileprivate func length(_ name: StaticString) throws(JSONError) -> Int64? {
    guard let length = try seconds(name) else { return nil }
    guard length >= 0 else { throw JSONError(.expected("a time that is not negative"), at: 0) }
    return try Self.checked(length)
  }

  /// The longest time that is read, in nanoseconds: three years.
  ///
  /// No run has taken that long, and sums of times stay far from overflowing.
  private static let longest = Int64.seconds(100_000_000)

  private static func checked(_ time: Int64) throws(JSONError) -> Int64 {
    guard (-longest...longest).contains(time) else { throw JSONError(.numberOutOfRange, at: 0) }
    return time
  }

  fileprivate func demandNumber<Number: FixedWidthInteger>(
    _ name: StaticString
  ) throws(JSONError) -> Number {
    guard let number: Number = try number(name) else {
      throw JSONError(.expected("a field '\(name)'"), at: 0)
    }
    return number
  }

  /// The number of an operation or group, which lines count from 1; nil without one.
  fileprivate func index(_ name: StaticString) throws(JSONError) -> Int? {
    guard let number = try integer(name) else { return nil }
    guard number > 0 else { throw JSONError(.expected("numbers from 1"), at: 0) }
    return number - 1
  }

  fileprivate var operation: Int {
    get throws(JSONError) {
      guard let index = try index("operation") else {
        throw JSONError(.expected("the number of an operation"), at: 0)
      }
      return index
    }
  }

  /// A value with a name of its type; nil without one, and for one of a later version.
  fileprivate func named<Value: PoolNamedValue>(_ name: StaticString) throws(JSONError) -> Value? {
    try text(name).flatMap { Value(name: $0) }
  }

  /// What an attempt has used; nil without it.
  fileprivate var usage: PoolResourceUsage? {
    get throws(JSONError) {
      let usage = try value("usage") { scanner throws(JSONError) in try scanner.usage() }
      guard let usage else { return nil }
      for time in [usage.userMicroseconds, usage.systemMicroseconds]
      where !(0...Self.longest / 1_000).contains(time) {
        throw JSONError(.numberOutOfRange, at: 0)
      }
      return usage
    }
  }

  fileprivate var worker: WorkerID? {
    get throws(JSONError) { try number("worker").map { WorkerID(rawValue: $0) } }
  }

  fileprivate func instant(_ name: StaticString) throws(JSONError) -> Instant? {
    guard let time = try seconds(name) else { return nil }
    return Instant(nanoseconds: try Self.checked(time))
  }

  fileprivate func list<Element>(
    _ name: StaticString,
    _ read: (inout JSONScanner) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element]? {
    try value(name) { scanner throws(JSONError) in
      var elements: [Element] = []
      var isFirst = true
      try scanner.beginArray()
      while try scanner.hasElement(&isFirst) { elements.append(try read(&scanner)) }
      return elements
    }
  }
}

// MARK: - The run

extension RunBegan {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    let epoch: Int? = try fields.number("epoch")
    self.init(
      start: try fields.seconds("startedAt") ?? 0,
      run: Array((try fields.text("run") ?? "").utf8),
      journal: try fields.bytes("journal").map { (path: $0, epoch: epoch ?? 1) },
      process: try fields.demandNumber("pid"),
      host: try fields.bytes("host"),
      boot: try fields.bytes("boot"),
      cores: try fields.number("cores", in: 1...1_000_000),
      memory: try fields.number("memory", in: 0...1 << 55).map { Int64($0) },
      width: try fields.number("width", in: 1...10_000),
      delay: try fields.length("delay"),
      arguments: try fields.list("arguments") { scanner throws(JSONError) in
        try scanner.byteText()
      },
      folder: try fields.bytes("folder"),
      version: try fields.text("version")
    )
  }
}

extension RunHalted {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    self.init(
      policy: try fields.text("policy") ?? "",
      failed: try fields.number("failed") ?? 0,
      succeeded: try fields.number("succeeded") ?? 0
    )
  }
}

// MARK: - Operations

extension SubmittedRecord {
  /// Reads the description in a short line.
  init(short fields: JSONFields) throws(JSONError) {
    let number = try fields.operation
    let id = try fields.text("id") ?? "\(number + 1)"
    self.init(
      number: number,
      OperationDescription(
        id: Array(id.utf8),
        name: try fields.text("name").map { Array($0.utf8) },
        command: try fields.bytes("command")
      ),
      key: nil,
      memberCount: try fields.number("members")
    )
    let isGroup = memberCount != nil
    kind = try fields.text("kind") ?? (isGroup ? nil : CommandPayload.kind)
    group = try fields.index("group")
    dependencies = try Self.dependencies(fields)
    claims = try Self.claims(fields)
    slots = try fields.number("slots", in: 1...1_000_000) ?? 1
    priority = try fields.named("priority") ?? .normal
    isBarrier = try fields.isTrue("barrier")
    timeout = try fields.seconds("timeout")
    retries = try fields.number("retries") ?? 0
    expected = try fields.seconds("expected")
  }

  private static func dependencies(_ fields: JSONFields) throws(JSONError) -> [Dependency] {
    try fields.value("after") { scanner throws(JSONError) in
      var dependencies: [Dependency] = []
      var isFirst = true
      try scanner.beginObject()
      while let key = try scanner.nextKey(&isFirst) {
        let requirement = PoolRequirement(name: scanner.text(of: key)) ?? .finished
        var isFirstNumber = true
        try scanner.beginArray()
        while try scanner.hasElement(&isFirstNumber) {
          let number: Int32 = try scanner.integer()
          dependencies.append(Dependency(Int(number) - 1, requirement))
        }
      }
      return dependencies
    } ?? []
  }

  private static func claims(_ fields: JSONFields) throws(JSONError) -> [Claim] {
    try fields.list("claims") { scanner throws(JSONError) in
      var claim = Claim([], of: 1)
      try scanner.forEachField { key, scanner throws(JSONError) in
        switch key {
        case "name": claim.name = scanner.content(of: try scanner.scanString())
        case "units":
          let units: Int32 = try scanner.integer()
          claim.units = Int(units)
        case "exclusive": claim.isExclusive = try scanner.bool()
        default: _ = try scanner.skipValue()
        }
      }
      return claim
    } ?? []
  }

  /// Reads the description in a line of events.
  init(event fields: JSONFields) throws(JSONError) {
    try self.init(short: fields)
    key = try fields.text("key").map { Array($0.utf8) }
    description.line = try fields.number("line")
    description.input = try fields.bytes("input")
    description.inputs = try fields.list("inputs") { scanner throws(JSONError) in
      try scanner.byteText()
    }
    kind = try fields.text("kind")
    dependencies =
      try fields.list("dependencies") { scanner throws(JSONError) in
        var dependency = Dependency(0, .finished)
        try scanner.forEachField { key, scanner throws(JSONError) in
          switch key {
          case "operation":
            let number: Int32 = try scanner.integer()
            dependency.number = Int(number) - 1
          case "requirement":
            dependency.requirement = PoolRequirement(name: try scanner.string()) ?? .finished
          default: _ = try scanner.skipValue()
          }
        }
        return dependency
      } ?? []
  }
}

extension JSONScanner {
  /// Passes the key of each field of an object to the closure, which reads the value.
  fileprivate mutating func forEachField(
    _ read: (String, inout JSONScanner) throws(JSONError) -> Void
  ) throws(JSONError) {
    var isFirst = true
    try beginObject()
    while let key = try nextKey(&isFirst) { try read(text(of: key), &self) }
  }
}

extension AttemptStarted {
  init(_ fields: JSONFields, at time: Instant) throws(JSONError) {
    self.init(
      number: try fields.operation,
      attempt: try fields.number("attempt", in: 1...1_000_000_000) ?? 1,
      worker: try fields.worker ?? WorkerID(rawValue: 0),
      time: time
    )
  }
}

extension RetryPlanned {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    self.init(
      number: try fields.operation,
      after: try fields.number("attempt") ?? 1,
      due: try fields.instant("due"),
      because: try fields.text("reason") ?? ""
    )
  }
}

extension EndRecord.Earlier {
  /// Nil where nothing is told of an earlier run.
  fileprivate init?(_ fields: JSONFields) throws(JSONError) {
    let start = try fields.seconds("earlierStartedAt")
    let duration = try fields.seconds("earlierElapsed")
    if start == nil, duration == nil { return nil }
    self.init(start: start, duration: duration)
  }
}

extension EndRecord {
  convenience init(_ fields: JSONFields) throws(JSONError) {
    guard let ending: PoolEnding = try fields.named("outcome") else {
      throw JSONError(.expected("an outcome"), at: 0)
    }
    let own = try fields.number("attempt", in: 0...1_000_000_000)
    let all = try fields.number("attempts", in: 0...1_000_000_000)
    let started = try fields.length("started").map { Instant(nanoseconds: $0) }
    let elapsed = try fields.length("elapsed")
    let rootEnding: PoolEnding? = try fields.named("rootOutcome")
    self.init(
      number: try fields.operation,
      ending: ending,
      cause: try fields.text("cause").flatMap { PoolFailureCause(rawValue: $0) },
      root: try fields.index("root").map { Root($0, rootEnding) },
      exit: try fields.number("exit"),
      signal: try fields.number("signal"),
      attempt: own ?? all ?? 0,
      worker: try fields.worker,
      queued: try fields.instant("ready"),
      started: started,
      finished: started.flatMap { start in elapsed.map { start.advanced(by: $0) } },
      usage: try fields.usage,
      outputByteCount: try fields.number("stdoutBytes") ?? 0,
      errorByteCount: try fields.number("stderrBytes") ?? 0,
      errorType: try fields.text("errorType"),
      errorCode: try fields.number("errorCode"),
      message: try fields.text("message"),
      isResumed: try fields.isTrue("resumed"),
      earlier: try Earlier(fields)
    )
  }
}

// MARK: - Workers

extension WorkerGreeted {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    self.init(
      worker: try fields.worker ?? WorkerID(rawValue: 0),
      process: try fields.number("pid"),
      configuration: try fields.number("configuration") ?? 0,
      place: try fields.text("place"),
      host: try fields.text("host")
    )
  }
}

extension WorkerEnded {
  fileprivate init(_ fields: JSONFields) throws(JSONError) {
    let exit: Int32? = try fields.number("exit")
    let signal: Int32? = try fields.number("signal")
    self.init(
      worker: try fields.worker ?? WorkerID(rawValue: 0),
      process: try fields.number("pid"),
      manner: try fields.text("manner") ?? "",
      status: exit.map { .exited($0) } ?? signal.map { .signaled($0) },
      message: try fields.text("message") ?? ""
    )
  }
}
