import PoolModel
import Testing

@testable import PoolCommand

/// Contract: when a run ends before its job of Slurm does.
@Suite("The end of an allocation")
struct AllocationEndTests {
  private func minutes(_ count: Int) -> Int64 { .seconds(Double(60 * count)) }

  @Test("within the margin nothing begins, and half a minute before the end all is torn down")
  func steps() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(left: minutes(60)) == .wait(minutes(10)))
    #expect(end.step(left: minutes(7)) == .wait(minutes(2)))
    // More time was given.
    #expect(end.step(left: minutes(9)) == .wait(minutes(4)))
    #expect(end.step(left: minutes(5)) == .drain(.seconds(270)))
    #expect(end.step(left: .seconds(30)) == .end)
  }

  @Test("without a time it is asked again, and what was drained ends all the same")
  func unknown() {
    var end = AllocationEnd(margin: minutes(5))
    #expect(end.step(left: nil) == .wait(minutes(1)))
    #expect(end.step(left: minutes(4)) == .drain(.seconds(210)))
    #expect(end.step(left: nil) == .end)
  }

  @Test("with a margin, or a time, that leaves none for what executes, it is torn down at once")
  func short() {
    var end = AllocationEnd(margin: .seconds(10))
    #expect(end.step(left: .seconds(25)) == .wait(.seconds(15)))
    #expect(end.step(left: .seconds(10)) == .end)
    var late = AllocationEnd(margin: minutes(5))
    #expect(late.step(left: .seconds(29)) == .end)
    var over = AllocationEnd(margin: minutes(5))
    #expect(over.step(left: 0) == .end)
  }

  @Test(
    "the time is what squeue says",
    arguments: [
      ("5:00", 300), ("59", 59), ("1:02:03", 3_723), ("2-00:00:01", 172_801), ("0:00", 0),
      ("UNLIMITED", nil), ("INVALID", nil), ("NOT_SET", nil), ("", nil), ("1-2", nil),
      ("1:-2", nil),
      ("a:00", nil), ("1:2:3:4", nil), ("1-1-00:00:00", nil),
    ] as [(String, Int?)]
  )
  func times(_ text: String, _ seconds: Int?) {
    #expect(AllocationEnd.time(text) == seconds.map { .seconds(Double($0)) })
  }
}
