import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: operations are concluded in the order in which they ended, and the caller never waits
/// for large outputs.
@Suite("Ends of operations while outputs are stored")
struct EndingQueueTests {
  /// What a test sees of a queue, and the outputs that it holds up.
  private final class Scene: Sendable {
    private struct State {
      var concluded: [String] = []
      var mayStore = false
      var changes = 0
    }

    private let state = Monitor(State())

    var concluded: [String] { state.withLock { $0.concluded } }

    func conclude(_ name: String, _ storage: OutputStorage) {
      let word =
        switch storage {
        case .stored: "stored"
        case .failed: "failed"
        case .dropped: "dropped"
        }
      state.withLock { $0.concluded.append("\(name) \(word)") }
    }

    /// Stores when the test lets it, or stops when it is not wanted.
    func store(_ isWanted: () -> Bool) -> OutputStorage {
      while isWanted() {
        let mayStore = state.wait(until: MonotonicClock.now + .milliseconds(1)) { !$0.mayStore }
        if mayStore { return .stored(nil) }
      }
      return .dropped
    }

    func letStore() {
      state.withLock { $0.mayStore = true }
      state.broadcast()
    }

    func changed(_ isStoring: Bool) {
      if !isStoring { state.withLock { $0.changes += 1 } }
      state.broadcast()
    }

    func awaitChanges(_ count: Int) {
      state.wait(while: { $0.changes < count }, then: { _ in })
    }
  }

  private let scene = Scene()

  private func queue() -> EndingQueue { EndingQueue { [scene] in scene.changed($0) } }

  private func append(
    _ name: String,
    isLong: Bool = false,
    holding byteCount: Int = 0,
    to queue: EndingQueue
  ) {
    queue.append(
      isLong: isLong,
      holding: byteCount,
      store: { [scene] in isLong ? scene.store($0) : .stored(nil) },
      conclude: { [scene] in scene.conclude(name, $0) }
    )
  }

  @Test("What ends behind a large output waits for it, and only for those before it")
  func order() async throws {
    let queue = queue()
    append("first", holding: 1, to: queue)
    #expect(scene.concluded == ["first stored"])
    append("large", isLong: true, holding: 10, to: queue)
    append("small", holding: 100, to: queue)
    append("larger", isLong: true, holding: 1_000, to: queue)
    append("last", to: queue)
    #expect(queue.count == 4 && queue.heldByteCount == 1_110)
    #expect(scene.concluded == ["first stored"])
    scene.letStore()
    try await Blocking.run { [scene] in scene.awaitChanges(1) }
    queue.advance()
    #expect(scene.concluded.prefix(3) == ["first stored", "large stored", "small stored"])
    #expect(queue.heldByteCount == (queue.count == 0 ? 0 : 1_000))
    try await Blocking.run { [scene] in scene.awaitChanges(2) }
    queue.advance()
    #expect(scene.concluded.suffix(2) == ["larger stored", "last stored"])
    #expect(queue.count == 0 && queue.heldByteCount == 0)
  }

  @Test("A run that must end drops what is being stored, and large outputs behind it")
  func drop() async throws {
    let queue = queue()
    for name in ["large", "larger"] { append(name, isLong: true, to: queue) }
    append("small", to: queue)
    try await Blocking.run { queue.drop(within: .seconds(600)) }
    #expect(scene.concluded == ["large dropped", "larger dropped", "small stored"])
    append("late", isLong: true, to: queue)
    #expect(scene.concluded.last == "late dropped")
  }

  @Test("An output whose system call does not return is given up after a while")
  func stuck() async throws {
    let (queue, mayEnd) = (queue(), Monitor(false))
    queue.append(
      isLong: true,
      store: { _ in
        mayEnd.wait(while: { !$0 }, then: { _ in })
        return .stored(nil)
      },
      conclude: { [scene] in scene.conclude("stuck", $0) }
    )
    try await Blocking.run { queue.drop(within: .milliseconds(1)) }
    #expect(scene.concluded == ["stuck dropped"])
    mayEnd.withLock { $0 = true }
    mayEnd.broadcast()
    try await Blocking.run { [scene] in scene.awaitChanges(1) }
    queue.advance()
    #expect(scene.concluded == ["stuck dropped"])
  }
}
