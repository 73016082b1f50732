import PoolContents
import PoolModel
import PoolReports
import Testing

@testable import PoolCommand

/// Contract: the end of a run waits for who follows an output, and for no one else.
@Suite("Followed outputs")
struct FollowedOutputsTests {
  /// An output that has ended, if it does, and was asked for at 0.
  private func followed(isAwaited: Bool, hasEnded: Bool = true) -> FollowedOutputs.Followed {
    let nothing = OutputPair(output: .empty, error: .empty)
    return FollowedOutputs.Followed(
      number: 1,
      start: Instant(nanoseconds: 1),
      askedAt: 0,
      outputs: hasEnded ? nothing : nil,
      isAwaited: isAwaited
    )
  }

  @Test("a follower on a busy machine is late by a second, and one that is gone asks no more")
  func time() {
    let late = followed(isAwaited: true)
    #expect(late.holdsRun(at: .seconds(1)))
    #expect(late.holdsRun(at: .seconds(2) - 1))
    #expect(!late.holdsRun(at: .seconds(2)))
    #expect(!followed(isAwaited: true, hasEnded: false).holdsRun(at: 1))
  }

  @Test("who asks once is not waited for")
  func once() { #expect(!followed(isAwaited: false).holdsRun(at: 1)) }
}
