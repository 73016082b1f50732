import Testing

@testable import OperationPool

@Suite("Threads for blocks, on paper")
struct ThreadPoolSchedulerTests {
  private typealias Roster = ThreadPoolScheduler<Int>

  /// A roster with a thread that executes 0, another that watches, and bodies that took no time.
  private func practised(processors: Int = .max) -> Roster {
    var roster = Roster(processors: processors)
    #expect(roster.add(-1, at: 0) == .newThread)
    for _ in 0..<200 {
      #expect(roster.executes() == -1)
      roster.executed(for: 0)
      #expect(roster.add(-1, at: 0) == .nothing)
    }
    #expect(roster.executes() == -1)
    roster.executed(for: 0)
    #expect(roster.add(0, at: 0) == .nothing)
    #expect(roster.executes() == 0)
    #expect(roster.add(-1, at: 0) == .newThread)
    #expect(roster.executes() == -1)
    roster.executed(for: 0)
    #expect(roster.waits() == "watch")
    return roster
  }

  @Test("while nothing is known of their length, each body gets a thread")
  func unknown() {
    var roster = Roster(processors: .max)
    for number in 0..<5 {
      #expect(roster.add(number, at: 0) == .newThread)
      #expect(roster.executes() == number)
    }
  }

  @Test("short bodies wait for the thread that executes, in order, while another one watches")
  func short() {
    var roster = practised()
    for number in 1...5 { #expect(roster.add(number, at: 0) == .nothing) }
    roster.executed(for: 0)
    for number in 1...5 {
      #expect(roster.executes() == number)
      roster.executed(for: 0)
    }
    #expect(roster.pendingCount == 0)
  }

  @Test("what an executing thread adds waits for it, if another one watches that it comes back")
  func seeking() {
    var roster = Roster(processors: .max)
    #expect(roster.add(1, at: 0) == .newThread && roster.executes() == 1)
    // Nobody would notice that the thread does not look for it.
    #expect(roster.add(2, at: 0, seeksNext: true) == .newThread)
    #expect(roster.executes() == 2)
    roster.executed(for: Roster.patience)
    #expect(roster.waits() == "watch")
    #expect(roster.add(3, at: 0, seeksNext: true) == .nothing)
    #expect(roster.add(4, at: 0, seeksNext: true) != .nothing, "it takes one")
    #expect(roster.add(5, at: 0) != .nothing, "the bodies are long")
  }

  @Test("what has waited too long gets a thread for each, and so does what comes next")
  func overdue() {
    var roster = practised()
    for number in 1...3 { #expect(roster.add(number, at: 10) == .nothing) }
    #expect(roster.look(at: 9 + Roster.patience).needs == nil)
    // The thread that watches takes one itself.
    #expect(roster.look(at: 10 + Roster.patience).needs == [.newThread, .newThread])
    for number in 1...3 { #expect(roster.executes() == number) }
    #expect(roster.add(4, at: 0) == .newThread)
  }

  @Test("a body begins within two milliseconds: what may wait, and for a look, takes half of that")
  func patience() {
    #expect(2 * Roster.patience <= 1_000_000)
  }

  @Test("where the thread that watches takes an older body, the next one gets a thread")
  func unwatched() {
    var roster = practised()
    #expect(roster.add(1, at: 0) == .nothing)
    // The thread that executed 0 has taken long, and ends it; another one begins to execute 1.
    roster.executed(for: 10_000_000)
    #expect(roster.executes() == 1)
    for number in 2...3 { #expect(roster.add(number, at: 0) != .nothing) }
    #expect(roster.takeWakeUp(isWatching: true) == true)
    #expect(roster.executes() == 2)
    #expect(roster.add(4, at: 0) == .newThread)
    #expect(roster.executes() == 3)
    #expect(roster.executes() == 4)
    #expect(roster.pendingCount == 0)
  }

  @Test("a body that is left by a thread which took an older one is not left alone")
  func left() {
    var roster = practised()
    #expect(roster.add(1, at: 0) == .nothing)
    #expect(roster.add(2, at: 0) == .nothing)
    // As if woken for another reason, the thread that watches takes one of the two.
    let needs = roster.look(at: Roster.patience).needs
    #expect(needs == [.newThread])
    roster.missThread()
    guard case .execute(1, .newThread)? = roster.order(mayPoll: false) else {
      Issue.record("no thread comes for what is left")
      return
    }
  }

  @Test("where all processors are busy, more bodies wait for the busy threads")
  func crowded() {
    let length: Int64 = 20_000
    /// How many of the bodies that are added behind an executing thread wait for it.
    func waiting(processors: Int) -> Int {
      var roster = practised(processors: processors)
      for _ in 0..<200 {
        roster.executed(for: length)
        #expect(roster.add(0, at: 0) == .nothing)
        #expect(roster.executes() == 0)
      }
      return (1...10).prefix { roster.add($0, at: 0) == .nothing }.count
    }
    #expect(waiting(processors: 2) == 0)
    #expect(waiting(processors: 1) == 2)
  }

  @Test("bodies that take long each wake a thread")
  func long() {
    var roster = practised()
    roster.executed(for: 10_000_000)
    #expect(roster.waits() == "rest")
    #expect(roster.add(1, at: 0) == .wakeUp)
    #expect(roster.wakeUps == 1)
    #expect(roster.takeWakeUp(isWatching: false) == true)
    #expect(roster.takeWakeUp(isWatching: false) == false)
    #expect(roster.executes() == 1)
    #expect(roster.add(2, at: 0) == .wakeUp)
  }

  @Test("a thread that polls is left to find what comes, and no other is woken for it")
  func polling() {
    var roster = practised()
    roster.executed(for: 0)
    #expect(roster.order(mayPoll: true) == nil)
    // The second one waits for it, too.
    for number in 1...2 { #expect(roster.add(number, at: 0) == .nothing) }
    #expect(roster.executes() == 1)
    roster.executed(for: 0)
    #expect(roster.executes() == 2)
  }

  @Test("after a quiet time no thread watches, and the next body that waits has one come")
  func quiet() {
    var roster = practised()
    for look in 1...Roster.quietLooks {
      #expect(roster.look(at: 0).rests == (look == Roster.quietLooks))
    }
    #expect(roster.add(1, at: 0) == .wakeUp)
  }

  @Test("where no thread can be made, a body is refused only if no other thread is there")
  func shortage() {
    var roster = Roster(processors: .max)
    #expect(roster.add(1, at: 0) == .newThread)
    #expect(roster.giveUpThread() == true)
    #expect(roster.pendingCount == 0)
    #expect(roster.add(2, at: 0) == .newThread)
    #expect(roster.executes() == 2)
    #expect(roster.add(3, at: 0) == .newThread)
    #expect(roster.giveUpThread() == false)
    #expect(roster.pendingCount == 1)
    roster.executed(for: 0)
    #expect(roster.executes() == 3)
  }

  @Test("a thread that is missing while bodies wait for busy threads is asked for again, once")
  func retry() {
    var roster = Roster(processors: .max)
    #expect(roster.add(1, at: 0) == .newThread)
    #expect(roster.executes() == 1)
    #expect(roster.add(2, at: 0) == .newThread)
    #expect(roster.giveUpThread() == false)
    #expect(roster.needsRetry() == true)
    #expect(roster.needsRetry() == false, "one look is enough")
    #expect(roster.retry() == .newThread)
    #expect(roster.executes() == 2)
    #expect(roster.needsRetry() == false, "nothing waits")
    #expect(roster.retry() == .nothing)
  }

  @Test("when it is closed, a thread executes what is left, and polls no more")
  func closed() {
    var roster = practised()
    #expect(roster.add(1, at: 0) == .nothing)
    roster.close()
    roster.executed(for: 0)
    #expect(roster.executes() == 1)
    roster.executed(for: 0)
    #expect(roster.order(mayPoll: true) != nil)
  }

  @Test("a queue of two stacks keeps the order, and gives back what came last")
  func queue() {
    var queue = TwoStackQueue<Int>()
    #expect(queue.removeLast() == false)
    for number in 0..<10 { queue.append(number) }
    #expect(queue.first == 0)
    #expect(queue.popFirst() == 0)
    #expect(queue.first == 1)
    #expect(queue.removeLast() == true)
    #expect(queue.count == 8)
    queue.append(10)
    #expect(queue.removeLast() == true)
    for number in 1..<9 { #expect(queue.popFirst() == number) }
    #expect(queue.popFirst() == nil)
    #expect(queue.count == 0)
  }
}

extension ThreadPoolScheduler {
  /// What a seeking thread is given.
  fileprivate mutating func executes() -> Body? {
    guard case .execute(let body, _) = order(mayPoll: false) else { return nil }
    return body
  }

  /// How a seeking thread waits.
  fileprivate mutating func waits() -> String? {
    switch order(mayPoll: false) {
    case .watch: "watch"
    case .rest: "rest"
    default: nil
    }
  }
}
