import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Messages of unknown types, which a worker may send by the thousand.
@Suite("Repeated messages")
struct RepeatedMessageTests {
  private let worker = WorkerID(rawValue: 1)

  @Test("The first of a worker and a type is told, and the others are counted")
  func counts() {
    var messages = RepeatedMessages()
    var told = 0
    for _ in 0..<1_000 where messages.add("x", from: worker) { told += 1 }
    for _ in 0..<2 where messages.add("y\u{1B}", from: worker) { told += 1 }
    if messages.add("z", from: worker) { told += 1 }
    if messages.add("x", from: WorkerID(rawValue: 2)) { told += 1 }
    #expect(told == 4)
    let lines = messages.take(of: worker)
    #expect(
      lines == [
        "worker 1 sent 999 more messages of type 'x'; skipped",
        "worker 1 sent 1 more message of type 'y\\x1B'; skipped",
      ]
    )
    let rest = messages.take(of: worker) + messages.take(of: WorkerID(rawValue: 2))
    #expect(rest == [])
  }

  @Test("Of many types, the first are told apart, and all others are counted as one")
  func types() {
    var messages = RepeatedMessages()
    var told = 0
    for number in 0..<10_000 where messages.add("t\(number)", from: worker) { told += 1 }
    #expect(told == RepeatedMessages.typeLimit)
    let lines = messages.take(of: worker)
    let count = 10_000 - RepeatedMessages.typeLimit
    #expect(lines == ["worker 1 sent \(count) more messages of type any other; skipped"])
  }
}
