import PoolModel
import Testing

@testable import PoolCommand

/// Contract: when a run ends before its job of Slurm does.
@Suite("The end of an allocation")
struct AllocationEndTests {
  private func minutes(_ count: Int) -> Int64 { .seconds(Double(60 * count)) }

  private func left(_ time: Int64, of limit: Int64? = nil) -> AllocationEnd.Times {
    AllocationEnd.Times(left: time, limit: limit)
  }

  @Test("within the margin nothing begins, and half a minute before the end all is torn down")
  func steps() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(left(minutes(60)), at: 0) == .wait(minutes(10), isKnown: true))
    #expect(end.step(left(minutes(7)), at: 0) == .wait(minutes(2), isKnown: true))
    // More time was given.
    #expect(end.step(left(minutes(9)), at: 0) == .wait(minutes(4), isKnown: true))
    #expect(end.step(left(minutes(5), of: minutes(60)), at: 0) == .drain(.seconds(270)))
    #expect(end.step(left(.seconds(30)), at: 0) == .end)
  }

  @Test("what executes while nothing begins has the time that the job is given later")
  func extended() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(left(minutes(5)), at: 0) == .drain(.seconds(270)))
    #expect(end.step(left(minutes(9)), at: 0) == .wait(.seconds(510), isKnown: true))
    #expect(end.step(left(.seconds(20)), at: 0) == .end)
  }

  @Test("where no time is told, the one before counts, less what has passed")
  func unknown() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(nil, at: 0) == .wait(minutes(1), isKnown: false))
    #expect(end.step(left(minutes(7)), at: 0) == .wait(minutes(2), isKnown: true))
    #expect(end.step(nil, at: minutes(1)) == .wait(minutes(1), isKnown: true))
    #expect(end.step(nil, at: minutes(2)) == .drain(.seconds(270)))
    #expect(end.step(nil, at: .seconds(390)) == .end)
    var unlimited = AllocationEnd(margin: minutes(5))
    #expect(unlimited.step(left(minutes(7)), at: 0) == .wait(minutes(2), isKnown: true))
    let never = AllocationEnd.Times(left: nil, limit: nil)
    #expect(unlimited.step(never, at: minutes(6)) == .wait(minutes(10), isKnown: true))
  }

  @Test("with a margin, or a time, that leaves none for what executes, it is torn down at once")
  func short() {
    var end = AllocationEnd(margin: .seconds(10))
    #expect(end.step(left(.seconds(25)), at: 0) == .wait(.seconds(15), isKnown: true))
    #expect(end.step(left(.seconds(10)), at: 0) == .end)
    for time in [Int64.seconds(30), .seconds(1), 0] {
      var late = AllocationEnd(margin: minutes(5))
      #expect(late.step(left(time, of: minutes(6)), at: 0) == .end)
    }
  }

  @Test("a margin that leaves nothing of the whole job is refused, so that it is not queued again")
  func hopeless() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(left(.seconds(299), of: minutes(5)), at: 0) == .refuse(minutes(5)))
    #expect(end.step(left(.seconds(299), of: .seconds(301)), at: 0) == .drain(.seconds(269)))
  }

  @Test("the times are those of the job's own line, also among those of its array")
  func lines() {
    let text = "12 59:00 1:00:00\n13 58:30 UNLIMITED\n14 INVALID 1:00\n"
    #expect(AllocationEnd.Times(squeue: text, job: "12") == left(minutes(59), of: minutes(60)))
    #expect(AllocationEnd.Times(squeue: text, job: "13") == left(.seconds(3_510)))
    let never = AllocationEnd.Times(left: nil, limit: nil)
    #expect(AllocationEnd.Times(squeue: "3 UNLIMITED UNLIMITED", job: "3") == never)
    for job in ["14", "15", "1", ""] {
      #expect(AllocationEnd.Times(squeue: text, job: job) == nil)
    }
  }

  @Test(
    "a time is what squeue writes",
    arguments: [
      ("5:00", 300), ("59", 59), ("1:02:03", 3_723), ("2-00:00:01", 172_801), ("0:00", 0),
      ("UNLIMITED", nil), ("INVALID", nil), ("NOT_SET", nil), ("", nil), ("1-2", nil),
      ("1:-2", nil),
      ("a:00", nil), ("1:2:3:4", nil), ("1-1-00:00:00", nil),
    ] as [(String, Int?)]
  )
  func times(_ text: String, _ seconds: Int?) {
    #expect(AllocationEnd.Times.time(text) == seconds.map { .seconds(Double($0)) })
  }
}
