import Foundation
import PoolWire
import Synchronization
import Testing

@testable import OperationWorker

/// Contract: a thread encodes its results in the same memory, and none changes another or stays.
@Suite("Results of one thread")
struct ThreadResultsTests {
  private func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }

  @Test("A result whose code encodes another one on the same thread is whole")
  func nested() throws {
    let thread = ThreadContext()
    let results = [Nested(thread: thread), Nested(thread: thread)]
    #expect(text(try thread.encode(results)) == #"["[1,2]","[1,2]"]"#)
    #expect(text(try thread.encode(7)) == "7")
  }

  @Test("A result that cannot be encoded throws, and the next one is encoded")
  func refused() throws {
    let thread = ThreadContext()
    #expect(throws: EncodingError.self) { try thread.encode([1, Double.infinity]) }
    #expect(text(try thread.encode(["a"])) == #"["a"]"#)
    #expect(text(try thread.encode(NoOutput())) == "null")
    #expect(text(try thread.encode(Optional(NoOutput()))) == "null")
  }

  @Test("A large result is released once it is encoded")
  func released() throws {
    let (thread, flag) = (ThreadContext(), Flag())
    try encodeLarge(in: thread, flag)
    #expect(flag.isSet)
  }

  private func encodeLarge(in thread: ThreadContext, _ flag: Flag) throws {
    let count = 1 << 20
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 7, count: count)
    let data = Data(
      bytesNoCopy: memory,
      count: count,
      deallocator: .custom { memory, _ in
        memory.deallocate()
        flag.set()
      }
    )
    #expect(PackedValue.isPacked(try thread.encode(data)))
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
  }

  /// Encodes another result in the middle of its own encoding.
  private struct Nested: Encodable {
    let thread: ThreadContext

    func encode(to encoder: any Encoder) throws {
      let other = try thread.encode([1, 2])
      var container = encoder.singleValueContainer()
      try container.encode(String(decoding: other, as: UTF8.self))
    }
  }
}
