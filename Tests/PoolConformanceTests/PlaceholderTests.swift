import PoolWire
import Testing

@testable import PoolConformance

/// Contract: what stands for kinds and payloads.
@Suite("Placeholders")
struct PlaceholderTests {
  private let placeholders = Placeholders(
    kind: "usual",
    works: [
      .fails: .init(payload: .number("3")),
      .lasts: .init(kind: "sleep", payload: .object([.init("for", .string("ever"))])),
    ]
  )

  private func filled(_ text: String) throws -> String {
    String(decoding: placeholders.fill(try JSONNode(text.utf8)).json, as: UTF8.self)
  }

  @Test("A kind is that of the payload beside it, or the usual one")
  func kinds() throws {
    #expect(
      try filled(#"{"kind":"$kind","payload":"$lasts","a":["$kind"]}"#)
        == #"{"kind":"sleep","payload":{"for":"ever"},"a":["sleep"]}"#
    )
    #expect(
      try filled(#"{"kind":"$kind","payload":"$payload"}"#) == #"{"kind":"usual","payload":3}"#
    )
    #expect(try filled(#"["$kind","kind"]"#) == #"["usual","kind"]"#)
  }

  @Test("Any payload is one that does not last, of what succeeds before what fails or prints")
  func preference() {
    var works: [ConformanceCase.Payload: Placeholders.Work] = [.lasts: .init(payload: .number("0"))]
    for (payload, digits) in [
      (ConformanceCase.Payload.prints, "1"), (.fails, "2"), (.succeeds, "3"),
    ] {
      works[payload] = .init(payload: .number(digits))
      let any = Placeholders(kind: "k", works: works).fill(.string("$payload"))
      #expect(any == .number(digits))
    }
  }

  @Test("Without payloads, any payload is null")
  func nothing() throws {
    let none = Placeholders(kind: "k", works: [:])
    #expect(none.fill(.string("$payload")) == .null)
    #expect(none.fill("$kind $payload") == #""k" null"#)
  }

  @Test("A text has the kind and the payload as JSON")
  func text() {
    #expect(placeholders.fill(#"{"k":$kind,"p":$payload}"#) == #"{"k":"usual","p":3}"#)
  }

  @Test("The deep payload is as deep as may be, and the large one has 4 MiB")
  func made() throws {
    let deep = placeholders.fill(.string("$deep")).json
    #expect(deep.count == 2 * JSONScanner.depthLimit)
    try JSONScanner.check(deep)
    #expect(placeholders.fill(.string("$large")).text?.utf8.count == 4 << 20)
  }
}
