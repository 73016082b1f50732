import PoolSystem
import PoolTestSupport
import Testing

@Suite("A waiter of one thread")
struct ThreadWaiterTests {
  @Test("a wake-up that comes before the wait is not lost")
  func wokenBefore() async throws {
    try await Blocking.run {
      let waiter = ThreadWaiter()
      waiter.wake()
      waiter.wait()
    }
  }

  @Test("no wake-up is lost, whether the thread polls, falls asleep or sleeps")
  func pingPong() async throws {
    let rounds = 20_000
    let calls = Mailbox<ThreadWaiter>()
    let awaker = Task {
      try await Blocking.run {
        var count = 0
        while count < rounds {
          for waiter in calls.takeAll() {
            waiter.wake()
            count += 1
          }
        }
      }
    }
    try await Blocking.run {
      for round in 0..<rounds {
        let waiter = ThreadWaiter()
        calls.put(waiter)
        // Now and then the wake-up meets a thread that is just beginning to wait.
        if round % 3 == 0 { SystemThread.yieldProcessor() }
        waiter.wait()
      }
    }
    try await awaker.value
  }
}
