import PoolModel
import Testing

@testable import PoolCore

/// Cancellation reaches an operation wherever it is, and ends it once.
@Suite("Cancellation")
struct CancelScenarios {
  /// A scenario whose one worker executes `a` and holds `b` and `c`.
  private func holding(retries: Int = 0, policy: PoolPolicy = PoolPolicy()) -> Scenario {
    let scenario = Scenario(policy: policy)
    scenario.expectShort()
    scenario.submit(
      [.init("a", retries: retries), .init("b"), .init("c")],
      "spawn 1 of 0"
    )
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("cancelled before it was added, an operation settles when it is")
  func created() {
    let scenario = Scenario()
    scenario.create(.init("a"))
    scenario.cancel("a")
    scenario.enqueue("a", expecting: ["settle a cancelled by request"])
    scenario.cancel("a")
  }

  @Test("one that waits or is ready settles at once, and its dependents are skipped")
  func queued() {
    let scenario = Scenario()
    scenario.submit(
      [.init("a"), .init("b", after: ["a"]), .init("c", after: ["b"])],
      "spawn 1 of 0"
    )
    scenario.cancel("b", "settle b cancelled by request", "settle c skipped by dependency of b")
    scenario.cancel("a", "settle a cancelled by request")
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("one that is prefetched is asked for once, and settles when the worker says so")
  func prefetched() {
    let scenario = holding()
    scenario.cancel("b", "ask 1 to stop b")
    scenario.cancel("b")
    scenario.answer("b", .cancelled, "settle b cancelled by request")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.start("c", "c executes on 1 as attempt 1")
  }

  @Test("one that began before the request arrived goes by the teardown sequence")
  func crossing() {
    let scenario = holding()
    scenario.cancel("b", "ask 1 to stop b")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.start("b", "b executes on 1 as attempt 1", "recall c from 1", "ask 1 to stop b")
    scenario.allowReuse(of: "c")
    scenario.pass(.milliseconds(10))
    scenario.pass(.milliseconds(1_990), "signal 1 with 15")
  }

  @Test("one that began before the request arrived is not signalled before it could tell its group")
  func crossingSignal() {
    var policy = PoolPolicy()
    policy.teardown.steps.removeFirst()
    let scenario = holding(policy: policy)
    scenario.cancel("b", "ask 1 to stop b")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.start("b", "b executes on 1 as attempt 1", "recall c from 1", "ask 1 to stop b")
    scenario.allowReuse(of: "c")
    scenario.pass(.milliseconds(19))
    scenario.pass(.milliseconds(1), "signal 1 with 15")
  }

  @Test("one that executes is asked, and what is prefetched behind it comes back at no charge")
  func executing() {
    let scenario = holding(retries: 3)
    scenario.cancel("a", "recall b from 1", "recall c from 1", "ask 1 to stop a")
    scenario.cancel("a")
    scenario.allowReuse(of: "b")
    scenario.allowReuse(of: "c")
    scenario.answer(
      "a",
      .cancelled,
      "settle a cancelled by request in attempt 1 on 1",
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1"
    )
  }

  @Test("what ends in its own way all the same keeps that end, and is not retried")
  func tooLate() {
    let scenario = holding(retries: 3)
    scenario.cancel("a", "recall b from 1", "recall c from 1", "ask 1 to stop a")
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1")
  }

  @Test("all are cancelled in the order of submission, and none is skipped")
  func all() {
    let scenario = Scenario()
    scenario.submit(
      [
        .init("a"), .init("b", after: ["d"]), .init("c", after: ["a"]), .init("d"),
        .init("e", after: ["a"]),
      ],
      "spawn 1 of 0"
    )
    scenario.cancelAll(
      "settle a cancelled by request",
      "settle b cancelled by request",
      "settle c cancelled by request",
      "settle d cancelled by request",
      "settle e cancelled by request"
    )
    #expect(scenario.machine.graph.edges.count == 0)
  }

  @Test("cancelling all asks for what is executed and prefetched, and nothing is executed again")
  func allWithHeld() {
    let scenario = holding(retries: 1)
    scenario.cancelAll(
      "recall b from 1",
      "recall c from 1",
      "ask 1 to stop a",
      "ask 1 to stop b",
      "ask 1 to stop c"
    )
    scenario.cancelAll()
    scenario.allowReuse(of: "b", "settle b cancelled by request")
    scenario.allowReuse(of: "c", "settle c cancelled by request")
    scenario.exit(1, "settle a cancelled by request in attempt 1 on 1")
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("between two attempts an operation settles with what it has spent")
  func betweenAttempts() {
    let scenario = holding(retries: 1)
    scenario.machine.change(.suspended(true, scenario.queue))
    scenario.answer("a", .failed, "retry a failed by answer in attempt 1 on 1")
    scenario.cancel("a", "settle a cancelled by request in attempt 1")
    scenario.cancel("a")
  }

  @Test("nothing is put behind an operation that is being made to end")
  func nothingBehind() {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.cancel("a", "ask 1 to stop a")
    scenario.submit([.init("b")])
    scenario.answer(
      "a",
      .cancelled,
      "settle a cancelled by request in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
  }
}
