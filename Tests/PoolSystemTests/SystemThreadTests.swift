import PoolSystem
import Testing

@Suite("Threads of the system")
struct SystemThreadTests {
  @Test("others go first only as long as the condition holds, and not for ever", arguments: 0...4)
  func yields(holding count: Int) {
    var asked = 0
    SystemThread.yield(atMost: 3) {
      asked += 1
      return asked <= count
    }
    #expect(asked == min(count + 1, 3))
  }
}
