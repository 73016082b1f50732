import Foundation
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: a large value is the same at the other side, whatever way it went, and is JSON for
/// each reader of JSON.
@Suite("Large values", .timeLimit(.minutes(30)))
struct LargeValueTests {
  /// What the worker's kind `echo`, which reads and writes bytes, is sent as a type.
  private struct Echo: WorkerOperation {
    static let kind = "echo"
    var numbers: [Int]
    var text: String
    var data: Data
    var fractions: [[Double]]

    func main(_ context: WorkerContext) throws -> Echo { self }
  }

  /// Counts bytes on the worker's side; the payload is made by that type.
  private static let bytes = [UInt8](repeating: 7, count: 300_000)

  @Test("numbers reach a typed operation, and come back from one")
  func typed() async throws {
    let queue = try Pools.queue()
    let sum = PoolTypedOperation(Sum(numbers: Array(0..<200_000)))
    try queue.addOperation(sum)
    #expect(try await sum.value.sum == 199_999 * 100_000)
    let source = operation("echo", "\"" + String(repeating: "ab", count: 150_000) + "\"")
    let bytes = PoolTypedOperation(BytesOf(name: "it"))
    try bytes.addInput("it", from: source)
    try queue.addOperations([source, bytes])
    let value = try await bytes.value
    #expect(value.count == 300_002 && value[1] == UInt8(ascii: "a"))
    // As JSON it is what it always was.
    let json = try #require(try await bytes.finished().result)
    #expect(try JSONDecoder().decode([UInt8].self, from: Data(json)) == value)
  }

  /// The worker's kind `bytesOfInput`.
  private struct BytesOf: WorkerOperation {
    static let kind = "bytesOfInput"
    var name: String

    func main(_ context: WorkerContext) throws -> [UInt8] { [] }
  }

  @Test("a kind that reads the bytes of its payload reads JSON")
  func rawKinds() async throws {
    let queue = try Pools.queue()
    let value = Echo(
      numbers: Array(-5_000..<5_000),
      text: String(repeating: "größer \"als\" 長い\n", count: 1_000),
      data: Data(Self.bytes),
      fractions: [(0..<3_000).map { Double($0) / 3 }, []]
    )
    let echo = PoolTypedOperation(value)
    try queue.addOperation(echo)
    let echoed = try await echo.value
    #expect(echoed.numbers == value.numbers && echoed.text == value.text)
    #expect(echoed.data == value.data && echoed.fractions == value.fractions)
  }

  @Test("a large result reaches other operations as the JSON that it is")
  func inputs() async throws {
    let queue = try Pools.queue()
    let text = operation("echo", "\"" + String(repeating: "x", count: 100_000) + "\"")
    let bytes = PoolTypedOperation(BytesOf(name: "it"))
    try bytes.addInput("it", from: text)
    let again = PoolTypedOperation(BytesOf(name: "bytes"))
    try again.addInput("bytes", from: bytes)
    let sum = PoolTypedOperation(from: bytes) { Sum(numbers: $0.map { Int($0) }) }
    try queue.addOperations([text, bytes, again, sum])
    let json = try await again.value
    #expect(json.first == UInt8(ascii: "[") && json.last == UInt8(ascii: "]"))
    let value = try await bytes.value
    #expect(try JSONDecoder().decode([UInt8].self, from: Data(json)) == value)
    #expect(try await sum.value.sum == 100_000 * 120 + 2 * 34)
  }

  @Test(
    "a worker that knows JSON alone gets JSON, and a named error above the limit of a frame",
    .needsPython
  )
  func minimalWorker() async throws {
    let program = Repository.root.appending(path: "Protocol/examples/worker.py")
    let python = URL(fileURLWithPath: "/usr/bin/env")
    let workers = PoolWorkerConfiguration.executable(
      python,
      arguments: ["python3", program.path],
      count: 1
    )
    let queue = try PoolOperationQueue(workers: workers)
    let sum = PoolTypedOperation(PythonSum(Array(0..<50_000)))
    let large = PoolTypedOperation(PythonSum([Int](repeating: 1 << 62, count: 4_000_000)))
    try queue.addOperations([sum, large])
    #expect(try await sum.value == 49_999 * 25_000)
    let failure = try #require(try await large.finished().failure)
    #expect(failure.description.contains("larger than a frame may be: 64 MiB"))
  }

  /// The sum of the example worker: its payload is an array.
  private struct PythonSum: WorkerOperation {
    static let kind = "sum"
    var numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    init(from decoder: any Decoder) throws { numbers = try [Int](from: decoder) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(numbers)
    }

    func main(_ context: WorkerContext) throws -> Int { 0 }
  }

  @Test("a retry sends the same value again, and what a queue refuses can be added to another")
  func again() async throws {
    let queue = try Pools.queue()
    let options = PoolOperationOptions(retryPolicy: .retries(1))
    let crash = PoolTypedOperation(CrashOnce(data: Data(Self.bytes)), options: options)
    try queue.addOperation(crash)
    #expect(try await crash.finished().attempts == 2)
  }

  /// The worker's kind `crash`, whatever it is given.
  private struct CrashOnce: WorkerOperation {
    static let kind = "crash"
    var data: Data

    func main(_ context: WorkerContext) throws -> NoOutput { NoOutput() }
  }

  /// A value that says when it is gone.
  private final class Witness: Codable, Sendable {}

  private struct Watched: WorkerOperation {
    static let kind = "noop"
    var witness = Witness()
    var data = Data(LargeValueTests.bytes)

    func main(_ context: WorkerContext) throws -> NoOutput { NoOutput() }
  }

  @Test("a large value is in memory once: its operation lets go of it when it was written")
  func onlyCopy() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    weak var witness: Witness?
    let operation = {
      let value = Watched()
      witness = value.witness
      return PoolTypedOperation(value)
    }()
    #expect(witness != nil)
    try queue.addOperation(operation)
    #expect(witness == nil)
    queue.isSuspended = false
    #expect(try await operation.finished().ending == .succeeded)
    #expect(try operation.encodedPayload()?.isEmpty == true)
  }

  @Test("what a queue refuses with its batch can be added to another, though its value is gone")
  func refusedBatch() async throws {
    let queue = try Pools.queue()
    let sum = PoolTypedOperation(Sum(numbers: Array(0..<20_000)))
    let refused = PoolTypedOperation(Fractions(values: [.infinity]))
    #expect(throws: PoolError.self) { try queue.addOperations([sum, refused]) }
    try queue.addOperation(sum)
    #expect(try await sum.value.sum == 19_999 * 10_000)
  }

  private struct Fractions: WorkerOperation {
    static let kind = "noop"
    var values: [Double]

    func main(_ context: WorkerContext) throws -> NoOutput { NoOutput() }
  }
}
