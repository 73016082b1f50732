import Foundation
import OperationWorker
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// What an operation of a user's own kind knows beside its payload.
@Suite("Names and inputs of a user's own kinds")
struct SurroundingsTests {
  /// Code deep inside an operation can ask, and each operation sees itself.
  @Test("An operation finds its own context anywhere within it", arguments: ["look", "asyncLook"])
  func current(kind: String) throws {
    let worker = try WorkerHarness("test-worker")
    let surroundings = Execute.Surroundings.of(
      name: "naïve",
      queue: "uploads",
      inputs: [NamedInput(name: "b", .json([0x30])), NamedInput(name: "a", .output([]))]
    )
    for quality in [PoolQualityOfService.default, .utility] {
      let full = worker.operation(kind, "{}", qualityOfService: quality, with: surroundings)
      let bare = worker.operation(kind, "{}", qualityOfService: quality)
      worker.send(.execute(full), .execute(bare))
      let sight = try Sight(worker.finish(of: full))
      let seen = Sight(name: "naïve", queue: "uploads", inputs: ["a", "b"], isItself: true)
      #expect(sight == seen)
      #expect(try Sight(worker.finish(of: bare)) == Sight(inputs: [], isItself: true))
    }
    #expect(WorkerContext.current == nil)
  }

  /// JSON of a result, JSON that a command printed, and either of them in a file.
  @Test("Inputs are read as values, in each of their forms")
  func values() throws {
    let worker = try WorkerHarness("test-worker")
    let folder = try TestFolder()
    try folder.write("300", to: "number")
    let operation = worker.operation(
      "sumOfInputs",
      "{}",
      with: Execute.Surroundings.of(inputs: [
        NamedInput(name: "result", .json(Array("1".utf8))),
        NamedInput(name: "printed", .output(Array("20\n".utf8))),
        NamedInput(name: "kept", .file(Array(folder.path(of: "number").utf8))),
      ])
    )
    #expect(try worker.answer(to: operation).resultText == "321")
  }

  @Test("Inputs are read as bytes, in each of their forms")
  func bytes() throws {
    let worker = try WorkerHarness("test-worker")
    let folder = try TestFolder()
    try folder.write([0xFF, 0x00], to: "bytes")
    let forms: [(NamedInput.Content, String)] = [
      (.json(Array(#""a""#.utf8)), "[34,97,34]"),
      (.output([0xFE, 0x0A]), "[254,10]"),
      (.file(Array(folder.path(of: "bytes").utf8)), "[255,0]"),
    ]
    for (content, expected) in forms {
      let surroundings = Execute.Surroundings.of(inputs: [NamedInput(name: "x", content)])
      let operation = worker.operation("bytesOfInput", #"{"name":"x"}"#, with: surroundings)
      #expect(try worker.answer(to: operation).resultText == expected)
    }
  }

  /// The failure says which input, and what is wrong with it.
  @Test("An input that is missing, of another type or unreadable is a failure that names it")
  func failures() throws {
    let worker = try WorkerHarness("test-worker")
    func failure(_ kind: String, _ payload: String, _ inputs: NamedInput...) throws -> Failure? {
      let surroundings = Execute.Surroundings.of(inputs: inputs)
      return try worker.answer(to: worker.operation(kind, payload, with: surroundings)).failure
    }
    let words = NamedInput(name: "words", .output(Array("b\na\n".utf8)))
    let more = NamedInput(name: "more", .file(Array("/no/such".utf8)))
    let missing = try failure("bytesOfInput", #"{"name":"x"}"#, words, more)
    #expect(missing?.message == "there is no input 'x'; there is: more, words")
    #expect(missing?.type == "WorkerInputError")
    let none = try failure("bytesOfInput", #"{"name":"x"}"#)
    #expect(none?.message == "there is no input 'x'; there is: none")
    let unreadable = try failure("bytesOfInput", #"{"name":"more"}"#, words, more)
    #expect(
      unreadable?.message == "the input 'more' cannot be read: open: No such file or directory"
    )
    let mismatch = try failure("sumOfInputs", "{}", words)
    #expect(mismatch?.message.hasPrefix("the input 'words' is no Int: ") == true)
  }
}

/// What the test worker's kinds see of themselves.
private struct Sight: Decodable, Equatable {
  var name: String?
  var queue: String?
  var inputs: [String]
  var isItself: Bool
}

extension Sight {
  /// Reads an answer's result.
  init(_ answer: Answer) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(answer.result ?? []))
  }
}
