import PoolModel
import PoolTestSupport
import Synchronization
import Testing

@testable import PoolSystem

/// Waiting for several descriptors, and being woken from another thread.
@Suite("Waiting for descriptors", .timeLimit(.minutes(30)))
struct PollerTests {
  private typealias Ready = [(key: Int, Poller.Readiness)]

  private func wait(_ poller: inout Poller, nanoseconds: Int64?) -> Ready {
    var ready: Ready = []
    poller.wait(nanoseconds: nanoseconds, into: &ready)
    return ready
  }

  @Test("a wake-up is readable until it is drained, however many there were")
  func wakeUps() throws {
    let pipe = try WakePipe()
    var poller = Poller()
    poller.watch(pipe.descriptor, for: .readable, key: 7)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
    // More than a pipe holds: none of them blocks.
    for _ in 0..<100_000 { pipe.wake() }
    let ready = wait(&poller, nanoseconds: nil)
    #expect(ready.map(\.key) == [7] && ready.first?.1 == .readable)
    pipe.drain()
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
  }

  @Test("a wake-up from another thread ends a wait without limit")
  func otherThread() throws {
    let pipe = try WakePipe()
    var poller = Poller()
    poller.watch(pipe.descriptor, for: .readable, key: 1)
    let thread = try SystemThread.start(name: "test-wakes", mask: .full) { pipe.wake() }
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [1])
    thread.join()
  }

  @Test("what is watched no more is reported no more, and the others keep their keys")
  func forgotten() throws {
    let pipes = try (0..<3).map { _ in try WakePipe() }
    var poller = Poller()
    for (key, pipe) in pipes.enumerated() {
      poller.watch(pipe.descriptor, for: .readable, key: key)
      pipe.wake()
    }
    poller.forget(key: 0)
    poller.forget(key: 9)
    #expect(wait(&poller, nanoseconds: 0).map(\.key).sorted() == [1, 2])
    poller.forget(key: 2)
    #expect(wait(&poller, nanoseconds: 0).map(\.key) == [1])
    poller.watch(pipes[1].descriptor, for: [], key: 1)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
  }

  @Test("a wait ends at its limit, and not before")
  func limit() throws {
    var poller = Poller()
    let start = MonotonicClock.now
    #expect(wait(&poller, nanoseconds: 1_500_000).isEmpty)
    #expect(MonotonicClock.now - start >= 1_500_000)
  }

  /// The ways to wait: with `poll`, and with what the system keeps itself.
  static let starts = [Int.max, 0]

  @Test("each way tells the same of what can be read and written, and of ends", arguments: starts)
  func sameReadiness(start: Int) throws {
    let (first, second) = (try Descriptors.pipe(), try Descriptors.pipe())
    var poller = Poller(queueFrom: start)
    poller.watch(first.read, for: .readable, key: 4)
    poller.watch(second.read, for: .readable, key: 8)
    poller.watch(second.write, for: .writable, key: 9)
    #expect((poller.queue != nil) == (start == 0))
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [9])
    poller.forget(key: 9)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
    try SystemIO.writeAll(first.write, [1])
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [4])
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [4], "as long as it is not read")
    Descriptors.close(second.write, seenFrom: second.read)
    let ready = wait(&poller, nanoseconds: nil).sorted { $0.key < $1.key }
    #expect(ready.map(\.key) == [4, 8] && ready.allSatisfy { $0.1 == .readable })
    Descriptors.close(first.read, seenFrom: first.write)
    poller.forget(key: 4)
    poller.watch(first.write, for: .writable, key: 5)
    let writable = wait(&poller, nanoseconds: 0).first { $0.key == 5 }
    #expect(writable?.1 == .writable, "writing tells that the reader is gone")
    for descriptor in [first.write, second.read] { Descriptors.close(descriptor) }
  }

  @Test("interest in writing comes and goes, and is for nothing else", arguments: starts)
  func interest(start: Int) throws {
    let pipe = try Descriptors.pipe()
    var poller = Poller(queueFrom: start)
    for _ in 0..<3 {
      poller.watch(pipe.write, for: .writable, key: 1)
      #expect(wait(&poller, nanoseconds: 0).map(\.1) == [.writable])
      poller.watch(pipe.write, for: [], key: 1)
      #expect(wait(&poller, nanoseconds: 0).isEmpty)
    }
    Descriptors.close(pipe.read)
    #expect(wait(&poller, nanoseconds: 0).isEmpty, "nobody asks for it")
    poller.watch(pipe.write, for: .writable, key: 1)
    #expect(wait(&poller, nanoseconds: 0).map(\.1) == [.writable])
    Descriptors.close(pipe.write)
  }

  @Test("a number that was given out again is its new key's, whoever forgets the old one when")
  func reusedNumber() throws {
    let old = try Descriptors.pipe()
    let spare = try Descriptors.pipe()
    var poller = Poller(queueFrom: 0)
    poller.watch(old.read, for: .readable, key: 1)
    // As if it were closed, and its number given out at once.
    try Descriptors.replace(old.read, with: spare.read)
    poller.watch(old.read, for: .readable, key: 2)
    poller.forget(key: 1)
    try SystemIO.writeAll(spare.write, [1])
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [2])
    #expect(poller.queue != nil)
    poller.forget(key: 2)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
    for end in [old.read, old.write, spare.read, spare.write] { Descriptors.close(end) }
  }

  @Test("what was closed before it was forgotten, and is open elsewhere, ends no wait")
  func staleEvents() throws {
    let (pipe, other) = (try Descriptors.pipe(), try Descriptors.pipe())
    var poller = Poller(queueFrom: 0)
    poller.watch(pipe.read, for: .readable, key: 1)
    poller.watch(other.read, for: .readable, key: 2)
    // Another process may have inherited it: the system keeps the file, and its place in the queue.
    let copy = try Descriptors.duplicate(pipe.read)
    try SystemIO.writeAll(pipe.write, [1])
    Descriptors.close(pipe.read)
    poller.forget(key: 1)
    poller.watch(other.write, for: .writable, key: 3)
    #expect(wait(&poller, nanoseconds: 0).map(\.key) == [3], "the place has a new owner")
    poller.forget(key: 3)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
    #expect(poller.queue != nil)
    let start = MonotonicClock.now
    #expect(wait(&poller, nanoseconds: 5_000_000).isEmpty)
    #expect(MonotonicClock.now - start >= 5_000_000)
    try SystemIO.writeAll(other.write, [1])
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [2])
    for end in [copy, pipe.write, other.read, other.write] { Descriptors.close(end) }
  }

  @Test("a file, which no queue takes, is waited for all the same")
  func file() throws {
    let pipe = try Descriptors.pipe()
    let file = try Descriptors.openFile(path: Array("/bin/sh".utf8))
    var poller = Poller(queueFrom: 1)
    poller.watch(pipe.write, for: .writable, key: 1)
    #expect(poller.queue != nil)
    poller.watch(file, for: .readable, key: 2)
    #expect(wait(&poller, nanoseconds: nil).map(\.key).sorted() == [1, 2])
    for end in [file, pipe.read, pipe.write] { Descriptors.close(end) }
  }

  @Test("more than one call reports is reported in turn, and the way changes with the number")
  func manyDescriptors() throws {
    let pipes = try (0..<300).map { _ in try Descriptors.pipe() }
    var poller = Poller()
    for (key, pipe) in pipes.enumerated() {
      try SystemIO.writeAll(pipe.write, [1])
      poller.watch(pipe.read, for: .readable, key: key)
      #expect((poller.queue != nil) == (key + 1 >= Poller.many))
    }
    var keys: Set<Int> = []
    for _ in 0..<2 { keys.formUnion(wait(&poller, nanoseconds: 0).map(\.key)) }
    #expect(keys.count == 300)
    for (key, pipe) in pipes.enumerated() {
      poller.forget(key: key)
      Descriptors.close(pipe.read)
      Descriptors.close(pipe.write)
    }
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
  }

  @Test("a wait for one descriptor ends when it can be read, and else in time")
  func waitForOne() throws {
    let pipe = try WakePipe()
    let start = MonotonicClock.now
    SystemIO.waitUntilReadable(pipe.descriptor, nanoseconds: 1_500_000)
    #expect(MonotonicClock.now - start >= 1_500_000)
    pipe.wake()
    SystemIO.waitUntilReadable(pipe.descriptor, nanoseconds: 60_000_000_000)
    #expect(SystemIO.canRead(pipe.descriptor))
  }

  @Test(
    "where no queue can be made, all is waited for the same, and the next descriptor tries again"
  )
  func shortage() throws {
    let pipes = try (0..<3).map { _ in try Descriptors.pipe() }
    let makings = Makings()
    var poller = Poller(queueFrom: 2) { makings.make() }
    for key in 0..<2 { poller.watch(pipes[key].read, for: .readable, key: key) }
    #expect(makings.count == 1 && poller.queue == nil)
    try SystemIO.writeAll(pipes[1].write, [1])
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [1])
    makings.allow()
    poller.watch(pipes[2].read, for: .readable, key: 2)
    try SystemIO.writeAll(pipes[0].write, [1])
    #expect(poller.queue != nil)
    #expect(wait(&poller, nanoseconds: nil).map(\.key).sorted() == [0, 1])
    for pipe in pipes {
      Descriptors.close(pipe.read)
      Descriptors.close(pipe.write)
    }
  }
}

/// Refuses to make a queue until that is allowed.
private final class Makings: Sendable {
  private let attempts = Atomic(0)
  private let isAllowed = Atomic(false)

  var count: Int { attempts.load(ordering: .relaxed) }

  func allow() { isAllowed.store(true, ordering: .relaxed) }

  func make() -> ReadinessQueue? {
    attempts.add(1, ordering: .relaxed)
    return isAllowed.load(ordering: .relaxed) ? ReadinessQueue() : nil
  }
}
