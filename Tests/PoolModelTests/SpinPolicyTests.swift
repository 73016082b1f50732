import PoolModel
import Testing

/// Contract: looking for news pays where they have kept coming soon, and is given up where they do
/// not.
@Suite("SpinPolicy")
struct SpinPolicyTests {
  @Test("a few short waits in a row make it worth looking, one long wait does not")
  func begins() {
    var spinPolicy = SpinPolicy()
    #expect(!spinPolicy.pays)
    for _ in 0..<4 { spinPolicy.noteWait(of: SpinPolicy.span - 1) }
    #expect(spinPolicy.pays)
    spinPolicy.noteWait(of: SpinPolicy.span)
    #expect(!spinPolicy.pays)
  }

  @Test("however long it went well, it is given up after three waits that were in vain")
  func ends() {
    var spinPolicy = SpinPolicy()
    for _ in 0..<1_000 { spinPolicy.noteWait(of: 1) }
    for _ in 0..<2 { spinPolicy.noteWait(of: .max) }
    #expect(spinPolicy.pays)
    spinPolicy.noteWait(of: .max)
    #expect(!spinPolicy.pays)
  }

  @Test("it does not pay after many things at once, and goes on paying after few")
  func bunches() {
    var spinPolicy = SpinPolicy()
    #expect(!spinPolicy.pays(after: 1))
    for _ in 0..<4 { spinPolicy.noteWait(of: 1) }
    #expect([1, 8, 9, 1].map { spinPolicy.pays(after: $0) } == [true, true, false, true])
  }

  @Test("it does not pay while all processors have something to do")
  func processors() {
    var spinPolicy = SpinPolicy()
    #expect(!spinPolicy.pays(busy: 0, of: 4))
    for _ in 0..<4 { spinPolicy.noteWait(of: 1) }
    #expect([0, 3, 4, 5].map { spinPolicy.pays(busy: $0, of: 4) } == [true, true, false, false])
  }
}
