import PoolSystem
import Testing

/// Signals by their names, and those that are held back until they are wanted.
@Suite("Signals", .timeLimit(.minutes(30)))
struct SignalTests {
  @Test(
    "a signal is known by its name in either case, with and without SIG, and by its number",
    arguments: ["TERM", "SIGTERM", "term", "sigterm", "15"]
  )
  func names(text: String) {
    #expect(ProcessSignal(named: text) == .terminate)
  }

  @Test("what names no signal is none", arguments: ["", "SIG", "TERMS", "0", "-1", "999", "1.5"])
  func nonsense(text: String) {
    #expect(ProcessSignal(named: text) == nil)
  }

  @Test("waiting returns a blocked signal, and a wait without one ends in time")
  func blocked() throws {
    let found = Monitor<[ProcessSignal?]>([])
    let thread = try SystemThread.start(name: "test-signals", mask: .full) {
      let set = SignalSet([.user1])
      set.block()
      let none = set.wait(until: MonotonicClock.now + 1_000_000)
      CurrentThread.raise(.user1)
      let one = set.wait()
      found.withLock { $0 = [none, one] }
    }
    thread.join()
    #expect(found.withLock { $0 } == [nil, .user1])
  }
}

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

private enum CurrentThread {
  /// Sends the calling thread a signal.
  static func raise(_ signal: ProcessSignal) { pthread_kill(pthread_self(), signal.number) }
}
