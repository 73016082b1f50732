import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

/// Contract: an error of the type that an operation declares is thrown again as itself; any other
/// is a ``PoolFailure`` with its type, its sentence and its JSON; and no error is lost with its
/// value.
@Suite("Declared errors", .timeLimit(.minutes(30)))
struct DeclaredErrorTests {
  /// The shape that the tests' worker has, in a type of this process alone.
  enum Complaint: Error, Codable, Equatable {
    case tooLarge(pixels: Int)
    case text(String)
  }

  private struct Complain: WorkerOperation {
    static let kind = "throw"
    typealias Failure = Complaint
    var deed: String

    func main(_ context: WorkerContext) throws -> Int { throw Complaint.text(deed) }
  }

  private struct AsyncComplain: AsyncWorkerOperation {
    static let kind = "asyncThrow"
    typealias Failure = Complaint
    var deed: String

    func main(_ context: WorkerContext) async throws -> Int { 0 }
  }

  /// The same without a declaration.
  private struct Silent: WorkerOperation {
    static let kind = "throw"
    var deed: String

    func main(_ context: WorkerContext) throws -> Int { 0 }
  }

  /// A declaration that fits the worker's in nothing but its place.
  private struct Mistaken: WorkerOperation {
    static let kind = "throw"
    struct Failure: Error, Codable { var temperature: Double }
    var deed: String

    func main(_ context: WorkerContext) throws -> Int { 0 }
  }

  private func failure(_ deed: String) async throws -> PoolFailure {
    let queue = try Pools.queue()
    return try await #require(throws: PoolFailure.self) {
      try await queue.run(Complain(deed: deed))
    }
  }

  @Test("it is thrown as itself by run, value and map, whether its operation suspends or not")
  func thrown() async throws {
    let queue = try Pools.queue()
    await #expect(throws: Complaint.tooLarge(pixels: 7)) {
      try await queue.run(Complain(deed: "declared"))
    }
    await #expect(throws: Complaint.tooLarge(pixels: 7)) {
      try await queue.run(AsyncComplain(deed: "declared"))
    }
    let operation = PoolTypedOperation(Complain(deed: "declared"))
    try queue.addOperation(operation)
    await #expect(throws: Complaint.tooLarge(pixels: 7)) { try await operation.value }
    for try await (_, result) in queue.map([Complain(deed: "declared")]) {
      #expect(throws: Complaint.tooLarge(pixels: 7)) { try result.get() }
    }
    await #expect(throws: Complaint.tooLarge(pixels: 7)) {
      for try await _ in queue.map([AsyncComplain(deed: "declared")]).outputs {}
    }
  }

  @Test("it is thrown as itself by workers in this process")
  func hosted() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess([.operation(Complain.self)]))
    await #expect(throws: Complaint.text("no")) { try await queue.run(Complain(deed: "no")) }
  }

  @Test("its outcome is a failure that has the error's type, sentence and JSON")
  func outcome() async throws {
    let queue = try Pools.queue()
    let operation = PoolTypedOperation(Complain(deed: "declared"))
    try queue.addOperation(operation)
    let failure = try #require(try await operation.finished().failure)
    #expect(failure.cause == .error)
    #expect(failure.type == "Complaint")
    #expect(failure.description == "tooLarge(pixels: 7)")
    #expect(failure.json == Array(#"{"tooLarge":{"pixels":7}}"#.utf8))
    #expect(failure.error(as: Complaint.self) == .tooLarge(pixels: 7))
    #expect(failure.error(as: UndeclaredFailure.self) == nil)
  }

  @Test("an operation that declares no type throws a failure, with the JSON of the error")
  func undeclared() async throws {
    let queue = try Pools.queue()
    let failure = try await #require(throws: PoolFailure.self) {
      try await queue.run(Silent(deed: "declared"))
    }
    #expect(failure.error(as: Complaint.self) == .tooLarge(pixels: 7))
  }

  @Test("another type of the same shape is not taken for the declared one")
  func twin() async throws {
    let failure = try await failure("twin")
    #expect(failure.type == "Twin")
    #expect(failure.json == Array(#"{"tooLarge":{"pixels":8}}"#.utf8))
  }

  @Test("an error that is no JSON keeps its type and its sentence")
  func plain() async throws {
    let failure = try await failure("plain")
    #expect(failure.sentence == "no more of this")
    #expect(failure.type == "Plain")
    #expect(failure.json == nil)
  }

  @Test("a localized error keeps its sentence, and is described where it has none")
  func localized() async throws {
    #expect(try await failure("localized").sentence == "Der Stecker ist gezogen.")
    #expect(try await failure("wordless").sentence == "Localized(errorDescription: nil)")
  }

  @Test(
    "an error that cannot be sent is a failure that says why its type is lost",
    arguments: [
      ("large", #"text("xxxxxxx"#, "bytes of JSON are over the limit of 65536)"),
      ("tooDeep", "nested(", "(its type is lost: its JSON nests deeper than 511 levels)"),
      ("notANumber", "number(nan)", "(its type is lost: "),
    ]
  )
  func unsendable(deed: String, start: String, reason: String) async throws {
    let failure = try await failure(deed)
    #expect(failure.type == "Complaint")
    #expect(failure.sentence.hasPrefix(start))
    #expect(failure.sentence.contains(reason), "\(failure.sentence.suffix(200))")
    #expect(failure.sentence.utf8.count <= 4_096)
    #expect(failure.json == nil)
  }

  @Test("an error that nests as deep as a message may reaches the caller")
  func deepest() async throws {
    let failure = try await failure("deepest")
    #expect(failure.json?.count == 1_018 + #"{"nested":{"_0":}}"#.utf8.count)
  }

  @Test("an error that is not of the declared shape is a failure that says so")
  func mistaken() async throws {
    let queue = try Pools.queue()
    let failure = try await #require(throws: PoolFailure.self) {
      try await queue.run(Mistaken(deed: "declared"))
    }
    #expect(failure.sentence.hasPrefix("tooLarge(pixels: 7) (its type is lost: "))
    #expect(failure.sentence.contains("temperature"))
    #expect(failure.error(as: Complaint.self) == .tooLarge(pixels: 7))
  }

  @Test("a sentence is cut off where it has more than 4 KiB, even if it is one character")
  func wordy() async throws {
    let description = try await failure("wordy").sentence
    #expect(description.utf8.count <= 4_096 && description.utf8.count > 4_000)
    #expect(description.hasSuffix("…") || description.unicodeScalars.last == "…")
  }

  @Test("an attempt that throws it is made again, and its retry is told with its JSON")
  func retried() async throws {
    let queue = try Pools.queue()
    let options = PoolOperationOptions(name: "again", retryPolicy: .retries(1))
    let operation = PoolTypedOperation(Complain(deed: "onceOnly"), options: options)
    let transitions = operation.transitions
    #expect(try await queue.run(operation) == 2)
    var retries: [PoolFailure] = []
    for await case .retrying(let failure) in transitions { retries.append(failure) }
    #expect(retries.map { $0.error(as: Complaint.self) } == [.tooLarge(pixels: 1)])
    #expect(retries.first?.description.hasPrefix("'again': ") == true)
    let again = PoolTypedOperation(Complain(deed: "declared"), options: options)
    await #expect(throws: Complaint.tooLarge(pixels: 7)) { try await queue.run(again) }
    #expect(again.outcome?.attempts == 2)
  }

  @Test("a cancellation without a request is a failure, not a declared error")
  func cancellation() async throws {
    #expect(try await failure("cancellation").type == "WorkerCancellation")
  }

  /// An error of this process, with a sentence that is longer than any message.
  private struct Verbose: LocalizedError {
    var errorDescription: String? { "Nein. " + String(repeating: "x", count: 100_000) }
  }

  @Test("errors of this process keep their sentence, too, in 4 KiB")
  func sentences() async throws {
    let queue = try Pools.queue()
    let sum = PoolTypedOperation(Sum(numbers: [1]))
    let made = PoolTypedOperation(from: sum) { _ -> Sum in throw Verbose() }
    let conditioned = operation("noop")
    try conditioned.addCondition(PoolCondition("cold") { _ in throw Verbose() })
    let block = PoolBlockOperation { throw Verbose() }
    try queue.addOperations([sum, made, conditioned, block])
    let starts = [
      "its input cannot be made: Nein. xxx",
      "its condition 'cold' cannot be evaluated: Nein. xxx",
      "Nein. xxx",
    ]
    for (operation, start) in zip([made, conditioned, block], starts) {
      let failure = try #require(try await operation.finished().failure)
      #expect(failure.sentence.hasPrefix(start), "\(failure.sentence.prefix(80))")
      #expect(failure.sentence.utf8.count == 4_096)
    }
  }

  @Test("a refusal does not quote the whole of what cannot be encoded")
  func refusal() throws {
    let queue = try Pools.queue()
    let error = #expect(throws: PoolError.self) {
      try queue.addOperation(PoolTypedOperation(Numbers()))
    }
    #expect(error?.code == .notEncodable)
    #expect((error?.description.utf8.count ?? .max) <= 4_096)
  }

  /// What Foundation's coder quotes whole.
  private struct Numbers: WorkerOperation {
    static let kind = "sum"

    func encode(to encoder: any Encoder) throws {
      let context = EncodingError.Context(
        codingPath: [],
        debugDescription: String(repeating: "x", count: 100_000)
      )
      throw EncodingError.invalidValue(0, context)
    }

    func main(_ context: WorkerContext) throws -> Int { 0 }
  }

  @Test("a block's error is a failure with its JSON")
  func block() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation { throw Complaint.text("no") }
    let failure = try #require(try await queue.run(block).failure)
    #expect(failure.error(as: Complaint.self) == .text("no"))
  }
}
