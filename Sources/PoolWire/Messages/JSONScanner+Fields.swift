package import PoolModel

extension JSONScanner {
  /// The next key of the object whose value is not `null`: a null field counts as absent.
  mutating func nextField(_ isFirst: inout Bool) throws(JSONError) -> JSONStringRange? {
    while let key = try nextKey(&isFirst) {
      guard peek() == UInt8(ascii: "n") else { return key }
      try null()
    }
    return nil
  }

  /// Consumes an array; the closure reads each element.
  mutating func list<Element>(
    _ element: (inout JSONScanner) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    var isFirst = true
    try beginArray()
    while try hasElement(&isFirst) { elements.append(try element(&self)) }
    return elements
  }

  package mutating func usage() throws(JSONError) -> PoolResourceUsage {
    var usage = PoolResourceUsage(userMicroseconds: 0, systemMicroseconds: 0, peakMemoryBytes: 0)
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "user") {
        usage.userMicroseconds = try integer()
      } else if matches(key, "system") {
        usage.systemMicroseconds = try integer()
      } else if matches(key, "peak") {
        usage.peakMemoryBytes = try integer()
      } else {
        _ = try skipValue()
      }
    }
    return usage
  }

  mutating func outboxPlace() throws(JSONError) -> OutboxPlace {
    var place = OutboxPlace(pid: 0, descriptor: -1, bytes: 0)
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "pid") {
        place.pid = try integer()
      } else if matches(key, "descriptor") {
        place.descriptor = try integer()
      } else if matches(key, "bytes") {
        place.bytes = try integer()
      } else if matches(key, "number") {
        place.number = try integer()
      } else {
        _ = try skipValue()
      }
    }
    return place
  }

  mutating func streams() throws(JSONError) -> InheritedStreams {
    var streams = InheritedStreams(output: -1, error: -1)
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "stdout") {
        streams.output = try integer()
      } else if matches(key, "stderr") {
        streams.error = try integer()
      } else {
        _ = try skipValue()
      }
    }
    return streams
  }

  mutating func failure() throws(JSONError) -> Failure {
    var failure = Failure(cause: .error, message: "")
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "cause") {
        failure.cause = Failure.Cause(rawValue: try string()) ?? .error
      } else if matches(key, "message") {
        failure.message = try string()
      } else if matches(key, "type") {
        failure.type = try string()
      } else if matches(key, "code") {
        failure.code = try integer()
      } else if matches(key, "value") {
        let range = try skipValue()
        failure.value = range.count > Failure.valueLimit ? nil : Array(slice(range))
      } else if matches(key, "declared") {
        failure.isDeclared = try bool()
      } else {
        _ = try skipValue()
      }
    }
    failure.boundTexts()
    return failure
  }

  /// Consumes an output: a string, `{"base64":…}`, or a file of the worker.
  mutating func output() throws(JSONError) -> OutputReference {
    guard try token() == .object else { return .inline(content(of: try scanString())) }
    var probe = self
    var isFirst = true
    try probe.beginObject()
    guard let key = try probe.nextField(&isFirst), !matches(key, "base64") else {
      return .inline(try byteText())
    }
    return try outputFile()
  }

  private mutating func outputFile() throws(JSONError) -> OutputReference {
    let start = position
    var descriptor: Int32?
    var byteCount: Int64?
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "descriptor") {
        descriptor = try integer()
      } else if matches(key, "bytes") {
        byteCount = try integer()
      } else {
        _ = try skipValue()
      }
    }
    guard let descriptor, let byteCount, descriptor >= 0, byteCount >= 0 else {
      throw JSONError(.expected("a descriptor and a byte count"), at: start)
    }
    return .file(descriptor: descriptor, byteCount: byteCount)
  }

  mutating func teardown() throws(JSONError) -> PoolTeardownSequence {
    let steps = try list { scanner throws(JSONError) in
      let (step, grace) = try scanner.step("grace")
      return PoolTeardownSequence.Step(step, graceMilliseconds: Int(grace))
    }
    return PoolTeardownSequence(steps: steps)
  }

  mutating func stepsTaken() throws(JSONError) -> [TeardownStepTaken] {
    try list { scanner throws(JSONError) in
      let start = scanner.position
      let (step, time) = try scanner.step("after")
      guard time >= 0 else { throw JSONError(.expected("a time that has come"), at: start) }
      return TeardownStepTaken(step, after: time)
    }
  }

  /// Consumes a step of a teardown sequence with its time, in the field of this name; 0 if absent.
  private mutating func step(
    _ timeName: StaticString
  ) throws(JSONError) -> (PoolTeardownSequence.Action, Int64) {
    let start = position
    var isMessage = false
    var signal: Int32?
    var time: Int64 = 0
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "step") {
        isMessage = try string() == "message"
      } else if matches(key, "signal") {
        signal = try integer()
      } else if matches(key, timeName) {
        time = try integer()
      } else {
        _ = try skipValue()
      }
    }
    if isMessage { return (.message, time) }
    guard let signal else { throw JSONError(.expected("a signal"), at: start) }
    return (.signal(signal), time)
  }
}
