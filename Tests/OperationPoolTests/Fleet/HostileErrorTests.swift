import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: whatever a worker sends for an error, its operation fails with a reason, and the
/// worker lives on; only what the protocol forbids costs the worker.
@Suite("Hostile errors", .needsPython, .timeLimit(.minutes(30)))
struct HostileErrorTests {
  enum Complaint: Error, Codable, Equatable {
    case tooLarge(pixels: Int)
  }

  /// Answers with the error that it is given, as text of JSON, and text repeated in it.
  private struct Answer: WorkerOperation {
    static let kind = "answer"
    typealias Failure = Complaint
    var error: String
    var count = 1

    func main(_ context: WorkerContext) throws -> Int { 0 }
  }

  private static let worker = """
    import json, os, struct, sys
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    def send(body):
        body = body.encode() + b"\\n"
        sink.write(struct.pack(">I", len(body)) + body)
        sink.flush()
    sink.write(b"OPOOL-WORKER 1\\n")
    send(json.dumps({"type": "hello", "versions": [1], "pid": os.getpid(), "kinds": ["answer"]}))
    while header := source.read(4):
        message = json.loads(source.read(struct.unpack(">I", header)[0]))
        if message["type"] != "execute": continue
        names = '"operation":%d,"dispatch":%d' % (message["operation"], message["dispatch"])
        payload = message["payload"]
        error = payload["error"].replace("[]", "[" * payload["count"] + "]" * payload["count"])
        error = error.replace("x", "x" * payload["count"])
        send('{"type":"executing",%s}' % names)
        send('{"type":"finished",%s,"error":%s}' % (names, error))
    """

  private func queue() throws -> PoolOperationQueue {
    let script = Self.worker.replacing("'", with: "'\\''")
    return try PoolOperationQueue(workers: .command("python3 -c '\(script)'", count: 1))
  }

  /// The failure of an operation that is answered so, and the worker that executed it.
  private func failure(
    _ error: String,
    count: Int = 1,
    in queue: PoolOperationQueue
  ) async throws -> (PoolFailure, WorkerID?) {
    let operation = PoolTypedOperation(Answer(error: error, count: count))
    let failure = try await #require(throws: PoolFailure.self) { try await queue.run(operation) }
    return (failure, operation.outcome?.worker)
  }

  @Test("a worker in another language can send the declared error")
  func foreign() async throws {
    let queue = try queue()
    let error = #"{"message":"no","value":{"tooLarge":{"pixels":3}},"declared":true}"#
    await #expect(throws: Complaint.tooLarge(pixels: 3)) {
      try await queue.run(Answer(error: error))
    }
  }

  @Test("what it does not call declared, and the shape of nothing, is a failure with its JSON")
  func shapes() async throws {
    let queue = try queue()
    let (undeclared, first) = try await failure(
      #"{"value":{"tooLarge":{"pixels":3}},"type":"Complaint"}"#,
      in: queue
    )
    #expect(undeclared.json == Array(#"{"tooLarge":{"pixels":3}}"#.utf8))
    #expect(undeclared.sentence == "it reported failure")
    for value in ["7", "[]", #"{"tooLarge":{"pixels":"3"}}"#, "{}", #""tooLarge""#] {
      let error = #"{"message":"no","value":\#(value),"declared":true}"#
      let (wrong, worker) = try await failure(error, in: queue)
      #expect(wrong.sentence.hasPrefix("no (its type is lost: "), "\(value)")
      #expect(wrong.sentence.utf8.count <= 2_048)
      #expect(worker == first)
    }
    for value in ["null", #"null,"declared":null"#] {
      let (none, worker) = try await failure(
        #"{"message":"no","value":\#(value)}"#,
        in: queue
      )
      #expect(none.sentence == "no")
      #expect(none.json == nil)
      #expect(worker == first)
    }
  }

  @Test("megabytes in the value, the sentence and the type are not kept")
  func large() async throws {
    let queue = try queue()
    let error =
      #"{"message":"x","type":"x","value":{"tooLarge":{"pixels":1,"pad":"x"}},"declared":true}"#
    let (failure, first) = try await failure(error, count: 10_000_000, in: queue)
    #expect(
      failure.sentence.hasPrefix("xxxx") && failure.sentence.contains("… (its type is lost: ")
    )
    #expect(failure.sentence.utf8.count < 5_200)
    #expect(failure.type?.utf8.count == 1_024)
    #expect(failure.json?.count == nil)
    let (fitting, worker) = try await self.failure(#"{"value":"x"}"#, count: 65_534, in: queue)
    #expect(fitting.json?.count == 65_536)
    let (larger, _) = try await self.failure(#"{"value":"x"}"#, count: 65_535, in: queue)
    #expect(larger.json?.count == nil)
    #expect(worker == first)
  }

  @Test("a value that nests as deep as it may is kept, and a deeper one violates the protocol")
  func deep() async throws {
    let queue = try queue()
    let (deep, _) = try await failure(
      #"{"value":[],"declared":true}"#,
      count: 511,
      in: queue
    )
    #expect(deep.json?.count == 1_022)
    let (deeper, _) = try await failure(#"{"value":[]}"#, count: 512, in: queue)
    #expect(deeper.cause == .violation)
  }

  @Test("a 'declared' that is neither true nor false violates the protocol")
  func undecided() async throws {
    let (failure, _) = try await failure(#"{"value":7,"declared":"yes"}"#, in: try queue())
    #expect(failure.cause == .violation)
  }
}
