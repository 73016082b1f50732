import PoolModel
import PoolWire
import Testing

/// Contract: a worker takes payloads in attachments, and gives results in attachments only where
/// the coordinator takes them; what is wrong with an attachment costs its own operation.
@Suite("Attachments in a conversation")
struct AttachmentConversationTests {
  private func worker(attachmentLimit: Int?) throws -> WorkerHarness {
    let worker = try WorkerHarness("test-worker", greets: false)
    worker.send(.welcome(Welcome(worker: WorkerID(rawValue: 1), attachmentLimit: attachmentLimit)))
    return worker
  }

  @Test("A result is packed only for a coordinator that takes attachments, and within its limit")
  func results() throws {
    let text = "\"" + String(repeating: "x", count: 10_000) + "\""
    for limit in [nil, 5_000, PackedValue.limit] {
      let worker = try worker(attachmentLimit: limit)
      let input = NamedInput(name: "it", .json(Array(text.utf8)))
      let inputs = Execute.Surroundings.of(inputs: [input])
      let operation = worker.operation("bytesOfInput", #"{"name":"it"}"#, with: inputs)
      let answer = try worker.answer(to: operation)
      guard let result = answer.result else {
        #expect(
          limit == 5_000 && answer.failure?.message.contains("attachment limit of 5000") == true
        )
        continue
      }
      #expect(PackedValue.isPacked(result) == (limit != nil))
      let numbers = text.utf8.map { "\($0)" }.joined(separator: ",")
      #expect(try PackedValue.json(result) == Array("[\(numbers)]".utf8))
    }
  }

  /// A packed value: JSON in which the `null` at this offset stands for bytes.
  private func packed(_ text: String, at offset: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0, 1, 0, 0, 1, 0, 0, 0, UInt8(text.utf8.count), 0, 0, 0, 0, 0, 0, 0]
      + [offset, 0, 0, 0, 0, 0, 0, 0, UInt8(content.count), 0, 0, 0, 0, 0, 0, 0]
      + [1, 1, 0, 0, 0, 0, 0, 0] + text.utf8 + content
  }

  @Test("A command may be packed, too")
  func command() throws {
    let worker = try WorkerHarness(greets: false)
    let limit = PackedValue.limit
    worker.send(
      .welcome(Welcome(worker: WorkerID(rawValue: 1), acceptsFiles: false, attachmentLimit: limit))
    )
    var operation = worker.operation("command")
    operation.payload = packed(#"{"own":null,"shell":"echo hi"}"#, at: 7, [1, 2])
    let answer = try worker.answer(to: operation)
    #expect(answer.failure == nil)
    #expect(answer.standardOutput == .inline(Array("hi\n".utf8)))
  }

  @Test("A payload that is no packed value fails its operation, and the next one is executed")
  func wrongPayloads() throws {
    let worker = try worker(attachmentLimit: PackedValue.limit)
    let text = #"{"numbers":null}"#
    for payload in [
      [0], [0, 9, 9], packed(text, at: 1, [1]), Array(packed(text, at: 11, [1]).dropLast()),
    ] {
      var operation = worker.operation("sum")
      operation.payload = payload
      let failure = try #require(try worker.answer(to: operation).failure)
      #expect(failure.message.hasPrefix("the payload is no 'sum'"), "\(failure.message)")
    }
    var operation = worker.operation("sum")
    operation.payload = packed(text, at: 11, [1, 2, 250])
    let result = try #require(try worker.answer(to: operation).result)
    #expect(String(decoding: result, as: UTF8.self).contains("253"))
    // A kind that reads bytes reads JSON.
    operation = worker.operation("echo")
    operation.payload = packed(text, at: 11, [1, 2])
    #expect(try worker.answer(to: operation).result == Array(#"{"numbers":[1,2]}"#.utf8))
  }
}
