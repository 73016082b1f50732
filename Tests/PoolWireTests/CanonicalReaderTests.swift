import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// The short way to read a message agrees with the scanner, and is the one that is taken.
@Suite("Canonical text")
struct CanonicalReaderTests {
  @Test("What the hot path sends is read the short way", arguments: hotMessages)
  func recognised(_ message: AnyMessage) {
    #expect(Reading(message.body, like: message).short == message)
  }

  private static let usage = PoolResourceUsage(
    userMicroseconds: 706,
    systemMicroseconds: 0,
    peakMemoryBytes: .max
  )

  private static let hotMessages: [AnyMessage] = [
    .worker(.executing(exampleReference, nil)),
    .worker(.executing(exampleReference, ProcessGroup(pid: 7, group: .max))),
    .worker(.finished(exampleReference, Answer(result: Array("null".utf8)))),
    .worker(.finished(exampleReference, Answer(result: Array(#"{"a":[1,"\n"]}"#.utf8)))),
    .worker(.finished(exampleReference, Answer(usage: usage))),
    .worker(.finished(exampleReference, Answer(usage: usage, elapsed: .max))),
    .coordinator(
      .execute(Execute(reference: exampleReference, attempt: 2, kind: "a\"b", payload: [0x30]))
    ),
    .coordinator(
      .execute(
        Execute(
          reference: exampleReference,
          attempt: 1,
          kind: CommandPayload.kind,
          payload: Array(#"{"run":["a"]}"#.utf8),
          surroundings: .of(variables: ExecutionVariables(id: [0x31], sequence: 1, key: [0xFF]))
        )
      )
    ),
  ]

  @Test("Every message and every mutation of it is read as the scanner reads it, or not at all")
  func agrees() {
    var recognised = 0
    for seed in 0..<500 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      for entry in MessageCatalogue.all {
        let body = mutated(entry.message.body, using: &generator)
        let reading = Reading(body, like: entry.message)
        guard let short = reading.short else { continue }
        recognised += 1
        #expect(short == reading.whole, "seed \(seed): \(String(decoding: body, as: UTF8.self))")
      }
    }
    #expect(recognised > 200)
  }

  @Test("Numbers of every length are read as the scanner reads them")
  func lengths() {
    var power: UInt64 = 1
    for _ in 0..<18 {
      for number in [power - 1, power, power + 1, power * 9 + 8] {
        for other in [0, 7, number] as [UInt64] {
          let fields = #""operation":\#(number),"dispatch":\#(other)"#
          let body = Array("{\"type\":\"executing\",\(fields)}\n".utf8)
          let reading = Reading(body, like: .worker(.executing(exampleReference, nil)))
          #expect(reading.short != nil && reading.short == reading.whole, "\(fields)")
        }
      }
      power *= 10
    }
  }

  @Test(
    "Variables that only the scanner may judge are left to it",
    arguments: ["5", #"{"A":1}"#, #"{"A":"b""#, #"{"A":{"base64":"!"}}"#, #"{"\uD800":""}"#]
  )
  func variables(value: String) {
    let fields = #""type":"execute","operation":1,"dispatch":1,"attempt":1,"kind":"k","payload":0"#
    let body = Array(#"{\#(fields),"variables":\#(value)}"#.utf8) + [0x0A]
    #expect(body.withUnsafeBytes { CoordinatorMessage(canonical: $0) } == nil)
    #expect(throws: Violation.self) {
      try body.withUnsafeBytes { try CoordinatorMessage(scanning: $0) }
    }
  }

  @Test("Numbers that only the scanner may judge are left to it")
  func numbers() {
    for number in ["01", "-1", "1.0", "1e2", "18446744073709551615", "18446744073709551616", ""] {
      let body = #"{"type":"executing","operation":\#(number),"dispatch":1}"# + "\n"
      let message = Array(body.utf8).withUnsafeBytes { WorkerMessage(canonical: $0) }
      #expect(message == nil, "\(number)")
    }
    for number in ["01", "-1", "9223372036854775808"] {
      let usage = #"{"user":0,"system":\#(number),"peak":0}"#
      let body = #"{"type":"finished","operation":1,"dispatch":1,"usage":\#(usage)}"# + "\n"
      let message = Array(body.utf8).withUnsafeBytes { WorkerMessage(canonical: $0) }
      #expect(message == nil, "\(number)")
      let elapsed = #""usage":{"user":0,"system":0,"peak":0},"elapsed":\#(number)}"# + "\n"
      let timed = Array(#"{"type":"finished","operation":1,"dispatch":1,\#(elapsed)"#.utf8)
      #expect(timed.withUnsafeBytes { WorkerMessage(canonical: $0) } == nil, "\(number)")
    }
  }

  @Test("An elapsed time below zero is refused, and a foreign worker's null is none")
  func elapsed() throws {
    let start = #"{"type":"finished","operation":1,"dispatch":1,"elapsed":"#
    let wrong = Array("\(start)-1}\n".utf8)
    #expect(throws: Violation.field("elapsed", inMessage: "finished")) {
      try wrong.withUnsafeBytes { try WorkerMessage(scanning: $0) }
    }
    for (text, value) in [("null", nil), ("0", 0), ("12", 12)] as [(String, Int64?)] {
      let body = Array("\(start)\(text)}\n".utf8)
      let message = try body.withUnsafeBytes { try WorkerMessage(scanning: $0) }
      let reference = DispatchReference(
        operation: OperationID(rawValue: 1),
        dispatch: DispatchNumber(rawValue: 1)
      )
      #expect(message == .finished(reference, Answer(elapsed: value)))
    }
  }
}

/// A body, read both ways.
private struct Reading {
  var short: AnyMessage?
  /// Nil where the body is no message.
  var whole: AnyMessage?

  init(_ body: [UInt8], like message: AnyMessage) {
    switch message {
    case .worker:
      short = body.withUnsafeBytes { WorkerMessage(canonical: $0) }.map { .worker($0) }
      whole = body.withUnsafeBytes { try? WorkerMessage(scanning: $0) }.map { .worker($0) }
    case .coordinator:
      short = body.withUnsafeBytes { CoordinatorMessage(canonical: $0) }.map { .coordinator($0) }
      whole = body.withUnsafeBytes { try? CoordinatorMessage(scanning: $0) }.map {
        .coordinator($0)
      }
    }
  }
}
