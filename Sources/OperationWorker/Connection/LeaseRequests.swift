import PoolModel

/// When a worker's lease ends, by the requests to renew it that were answered.
struct LeaseRequests {
  private let usual: LeaseTerms
  /// The terms that hold while the worker is stopped; nil while it is not.
  private var stopped: LeaseTerms?
  /// When the latest request was made that was answered, by the clock of leases.
  private var answered: Int64
  /// When the lease ends.
  private(set) var end: Int64
  private var next: UInt64 = 1
  /// The requests that were not answered yet.
  private var open: [(number: UInt64, at: Int64)] = []

  /// More requests than these are not remembered: the oldest are forgotten.
  static let limit = 64

  /// The greeting counts as the first request, and was answered.
  init(_ terms: LeaseTerms, greetedAt: Int64) {
    usual = terms
    answered = greetedAt
    end = greetedAt.saturatingSum(terms.length)
  }

  /// The next request is about to be sent; returns its number.
  mutating func ask(at now: Int64) -> UInt64 {
    defer { next += 1 }
    if open.count == Self.limit { open.removeFirst() }
    open.append((next, now))
    return next
  }

  /// A request was answered, which puts off the end.
  ///
  /// An answer to none, or to one before another that was answered, changes nothing.
  mutating func note(answerTo number: UInt64) {
    guard let place = open.firstIndex(where: { $0.number == number }) else { return }
    answered = max(answered, open[place].at)
    end = max(end, answered.saturatingSum((stopped ?? usual).length))
    open.removeFirst(place + 1)
  }

  /// The coordinator stops the worker, and answers no request before it continues it: puts off the
  /// end.
  mutating func stop(_ terms: LeaseTerms) {
    stopped = terms
    end = max(end, answered.saturatingSum(terms.length))
  }

  /// The coordinator continues the worker: the end is the usual one again.
  ///
  /// It is as if a request of now had been answered, which is earlier than the coordinator
  /// believes.
  mutating func proceed(at now: Int64) {
    guard stopped != nil else { return }
    stopped = nil
    end = min(end, now.saturatingSum(usual.length))
  }

  /// Whether an operation may begin.
  func mayBegin(at now: Int64) -> Bool {
    stopped == nil && now < answered.saturatingSum(usual.half)
  }
}
