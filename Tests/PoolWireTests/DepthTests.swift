import Foundation
import PoolModel
import PoolWire
import Testing

/// One limit for a value's nesting, on whichever way it travels.
@Suite("The depth of values")
struct DepthTests {
  /// Arrays and objects in turn, so many in all.
  private static func value(_ levels: Int) -> [UInt8] {
    let open = (0..<levels).map { $0.isMultiple(of: 2) ? "[" : "{\"a\":" }
    let close = (0..<levels).reversed().map { $0.isMultiple(of: 2) ? "]" : "}" }
    let innermost = levels.isMultiple(of: 2) ? "0" : ""
    return Array((open.joined() + innermost + close.joined()).utf8)
  }

  private static let limit = JSONScanner.depthLimit

  private static func execute(
    payload: [UInt8],
    inputs: [NamedInput] = []
  ) -> AnyMessage {
    let surroundings = Execute.Surroundings.of(inputs: inputs)
    let execute = Execute(
      reference: exampleReference,
      attempt: 1,
      kind: "k",
      payload: payload,
      surroundings: surroundings
    )
    return .coordinator(.execute(execute))
  }

  /// Every message that may hold such a value.
  private static func messages(_ value: [UInt8]) -> [AnyMessage] {
    [
      execute(payload: value),
      execute(payload: Array("null".utf8), inputs: [NamedInput(name: "n", .json(value))]),
      .worker(.finished(exampleReference, Answer(result: value))),
      .worker(.cancelled(exampleReference, Answer(result: value), step: nil)),
    ]
  }

  @Test("A value of 512 levels is a payload, a result and an input alike; one of 513 is none")
  func messages() throws {
    for message in Self.messages(Self.value(Self.limit)) {
      #expect(try message.decodeLikewise(message.body) == message)
    }
    for message in Self.messages(Self.value(Self.limit + 1)) {
      #expect(throws: Violation.self) { try message.decodeLikewise(message.body) }
    }
  }

  @Test("The usual form and any other form of a message have the same limit")
  func forms() throws {
    for levels in [Self.limit, Self.limit + 1] {
      let body = Self.execute(payload: Self.value(levels)).body
      let fits = levels == Self.limit
      #expect((body.withUnsafeBytes { CoordinatorMessage(canonical: $0) } != nil) == fits)
      #expect(((try? CoordinatorMessage(bytes: body)) != nil) == fits)
      #expect(((try? JSONScanner.check(Self.value(levels))) != nil) == fits)
    }
  }

  /// So many arrays, each written by the code of a value.
  private struct Onion: Codable, Equatable {
    var levels: Int

    init(levels: Int) { self.levels = levels }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      levels = list.isAtEnd ? 1 : try list.decode(Onion.self).levels + 1
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      if levels > 1 { try list.encode(Onion(levels: levels - 1)) }
    }
  }

  /// So many arrays, written by one value's code.
  private struct Nest: Encodable {
    var levels: Int

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for _ in 1..<levels { list = list.nestedUnkeyedContainer() }
      // The last scalar is no level.
      try list.encode(Bare())
    }
  }

  /// A value within a value, and no container.
  private struct Bare: Encodable {
    func encode(to encoder: any Encoder) throws {
      var single = encoder.singleValueContainer()
      try single.encode(1)
    }
  }

  @Test("The plain coder writes and reads values to the limit, and leaves deeper ones alone")
  func coder() throws {
    func encoded(_ value: some Encodable) -> [UInt8]? { PlainCoder.encode(value, foreign: .none) }
    let onion = try #require(encoded(Onion(levels: Self.limit)))
    #expect(PlainCoder.decode(Onion.self, from: onion, foreign: .none)?.levels == Self.limit)
    #expect(encoded(Onion(levels: Self.limit + 1)) == nil)
    #expect(encoded(Nest(levels: Self.limit)) != nil)
    #expect(encoded(Nest(levels: Self.limit + 1)) == nil)
    let deep =
      [UInt8](repeating: .init(ascii: "["), count: Self.limit + 1)
      + [UInt8](repeating: .init(ascii: "]"), count: Self.limit + 1)
    #expect(PlainCoder.decode(Onion.self, from: deep, foreign: .none) == nil)
  }
}
