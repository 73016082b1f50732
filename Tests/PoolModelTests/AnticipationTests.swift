import PoolModel
import Testing

/// Contract: looking for news pays where they have kept coming soon, and is given up where they do not.
@Suite("Anticipation")
struct AnticipationTests {
  @Test("a few short waits in a row make it worth looking, one long wait does not")
  func begins() {
    var anticipation = Anticipation()
    #expect(!anticipation.pays)
    for _ in 0..<4 { anticipation.noteWait(of: Anticipation.span - 1) }
    #expect(anticipation.pays)
    anticipation.noteWait(of: Anticipation.span)
    #expect(!anticipation.pays)
  }

  @Test("however long it went well, it is given up after three waits that were in vain")
  func ends() {
    var anticipation = Anticipation()
    for _ in 0..<1_000 { anticipation.noteWait(of: 1) }
    for _ in 0..<2 { anticipation.noteWait(of: .max) }
    #expect(anticipation.pays)
    anticipation.noteWait(of: .max)
    #expect(!anticipation.pays)
  }

  @Test("it does not pay after many things at once, and goes on paying after few")
  func bunches() {
    var anticipation = Anticipation()
    #expect(!anticipation.pays(after: 1))
    for _ in 0..<4 { anticipation.noteWait(of: 1) }
    #expect([1, 8, 9, 1].map { anticipation.pays(after: $0) } == [true, true, false, true])
  }
}
