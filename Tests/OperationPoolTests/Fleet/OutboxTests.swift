import OperationPool
import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: what a worker had to say when it died is found, once and whole.
@Suite("Outboxes", .enabled(if: ProcessDescriptor.isAvailable), .timeLimit(.minutes(30)))
struct OutboxTests {
  /// The same memory twice, as a worker and its coordinator have it.
  private func both(count: Int) throws -> (worker: Outbox, coordinator: Outbox) {
    let memory = try SharedMemory(count: count)
    let descriptor = try #require(memory.descriptor)
    let copy = try SharedMemory(descriptor, of: CurrentProcess.identifier, count: count)
    memory.closeDescriptor()
    return (try #require(Outbox(copy)), try #require(Outbox(memory)))
  }

  private func keep(_ bytes: [UInt8], at position: UInt64, in outbox: Outbox) -> Bool {
    bytes.withUnsafeBytes { outbox.keep($0, at: position) }
  }

  /// A stream of pieces of all sizes, of which the coordinator has received some part, at all
  /// places of the ring.
  @Test("whatever had been received, the rest is there, around the end of the ring too")
  func rest() throws {
    let (worker, coordinator) = try both(count: 64 + 50)
    var stream: [UInt8] = []
    var random = SeededGenerator(seed: 7)
    #expect(coordinator.rest(after: 0).isEmpty)
    for _ in 0..<2_000 {
      let piece = (0..<Int.random(in: 1...50, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(keep(piece, at: UInt64(stream.count), in: worker))
      stream += piece
      for unsent in 0...piece.count {
        let received = stream.count - unsent
        #expect(coordinator.rest(after: UInt64(received)) == Array(stream[received...]))
      }
    }
  }

  @Test("more than fits is not taken, and what cannot be right is nothing")
  func limits() throws {
    let (worker, coordinator) = try both(count: 64 + 50)
    #expect(!keep([UInt8](repeating: 1, count: 51), at: 0, in: worker))
    #expect(coordinator.rest(after: 0).isEmpty)
    #expect(keep([1, 2, 3], at: 1_000, in: worker))
    #expect(coordinator.rest(after: 1_001) == [2, 3])
    #expect(coordinator.rest(after: 2_000).isEmpty)
    #expect(coordinator.rest(after: 900).isEmpty)
    #expect(keep([9], at: .max - 1, in: worker))
    #expect(coordinator.rest(after: 3).isEmpty)
  }

  /// Reading behind the end of a mapped file would kill this process.
  @Test("memory that is smaller than it is said to be is not used")
  func tooSmall() throws {
    let memory = try SharedMemory(count: 100)
    let descriptor = try #require(memory.descriptor)
    let process = CurrentProcess.identifier
    for count in [0, -1, 1 << 20, Int.max] {
      #expect(throws: SystemFailure.self) {
        try SharedMemory(descriptor, of: process, count: count)
      }
    }
    #expect(Outbox(try SharedMemory(count: 64)) == nil)
  }

  @Test("a file that could be shortened later is not used as memory")
  func unsealed() throws {
    let file = try TemporaryFile.open(holding: [UInt8](repeating: 0, count: 100))
    defer { Descriptors.close(file) }
    #expect(throws: SystemFailure.self) {
      try SharedMemory(file, of: CurrentProcess.identifier, count: 100)
    }
  }

  /// Its process counts what it executes: nothing may be executed twice, and nothing be missing.
  @Test("operations that had ended when their worker was killed are neither lost nor repeated")
  func death() async throws {
    let pool = try PolicyPool()
    // Until its length is known, nothing is prefetched behind an operation of a kind.
    for _ in 0..<20 { _ = try await pool.outcome(of: pool.submit("count")) }
    var before = 20
    for _ in 0..<20 {
      let ended = (0..<200).map { _ in pool.submit("count") }
      let fatal = pool.submit("raise", "9")
      let later = (0..<10).map { _ in pool.submit("count") }
      for (index, id) in ended.enumerated() {
        let outcome = try await pool.outcome(of: id)
        #expect(outcome.ending == .succeeded && outcome.attempts == 1)
        #expect(outcome.result == Array("\(before + index + 1)".utf8))
      }
      #expect(try await pool.outcome(of: fatal).ending == .lost)
      before = 0
      for (index, id) in later.enumerated() {
        let outcome = try await pool.outcome(of: id)
        #expect(outcome.ending == .succeeded)
        #expect(outcome.result == Array("\(index + 1)".utf8))
      }
      before = later.count
    }
    _ = try await pool.close()
  }

  /// Of a process that a signal stopped, no thread is left that could send anything.
  @Test("an operation that stops its worker before that has said so is lost, and no other")
  func stopped() async throws {
    var policy = PoolPolicy()
    policy.heartbeatInterval = .milliseconds(100)
    policy.heartbeatLimit = .milliseconds(500)
    let pool = try PolicyPool(policy)
    for _ in 0..<20 { _ = try await pool.outcome(of: pool.submit("noop")) }
    let before = (0..<10).map { _ in pool.submit("noop") }
    let (bad, next) = (pool.submit("raise", "19"), pool.submit("noop"))
    for id in before { #expect(try await pool.outcome(of: id).ending == .succeeded) }
    let outcome = try await pool.outcome(of: bad)
    #expect(outcome.ending == .lost && outcome.attempts == 1)
    #expect(outcome.workerDeaths.map(\.manner) == [.stopped])
    let following = try await pool.outcome(of: next)
    #expect(following.ending == .succeeded && following.workerDeaths.isEmpty, "\(following)")
    #expect(try await pool.close().map(\.manner) == [.stopped, .exit])
  }

  /// What it writes to its own pipe comes before what it had not sent.
  @Test("an operation that garbles its worker's output before that has said so is lost")
  func garbled() async throws {
    let pool = try PolicyPool()
    for _ in 0..<20 { _ = try await pool.outcome(of: pool.submit("noop")) }
    let before = (0..<10).map { _ in pool.submit("noop") }
    let (bad, next) = (pool.submit("garble"), pool.submit("noop"))
    for id in before { #expect(try await pool.outcome(of: id).ending == .succeeded) }
    let outcome = try await pool.outcome(of: bad)
    #expect(outcome.ending == .lost && outcome.attempts == 1, "\(outcome)")
    #expect(try await pool.outcome(of: next).ending == .succeeded)
    let deaths = try await pool.close()
    #expect(deaths.map(\.manner) == [.violation, .exit], "\(deaths)")
  }
}
