import PoolModel

/// When a worker's lease ends, by the requests to renew it that were answered.
struct LeaseRequests {
  let terms: LeaseTerms
  /// When the lease ends, by the clock of leases.
  private(set) var end: Int64
  private var next: UInt64 = 1
  /// The requests that were not answered yet.
  private var open: [(number: UInt64, at: Int64)] = []

  /// More requests than these are not remembered: the oldest are forgotten.
  static let limit = 64

  /// The greeting counts as the first request, and was answered.
  init(_ terms: LeaseTerms, greetedAt: Int64) {
    self.terms = terms
    end = greetedAt.saturatingSum(terms.length)
  }

  /// The next request is about to be sent; returns its number.
  mutating func ask(at now: Int64) -> UInt64 {
    defer { next += 1 }
    if open.count == Self.limit { open.removeFirst() }
    open.append((next, now))
    return next
  }

  /// A request was answered; returns whether that puts off the end.
  ///
  /// An answer to none, or to one before another that was answered, changes nothing.
  mutating func note(answerTo number: UInt64) -> Bool {
    guard let place = open.firstIndex(where: { $0.number == number }) else { return false }
    end = max(end, open[place].at.saturatingSum(terms.length))
    open.removeFirst(place + 1)
    return true
  }

  /// Whether an operation may begin.
  func mayBegin(at now: Int64) -> Bool { now < end - terms.rest }
}
