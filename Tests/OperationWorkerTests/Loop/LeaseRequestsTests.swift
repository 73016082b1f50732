import PoolModel
import Testing

@testable import OperationWorker

/// Contract: only the answer to a request puts off the end of a lease, to when the request was made
/// and the length, and never to an earlier time.
@Suite("Requests to renew a lease")
struct LeaseRequestsTests {
  /// Requests of a lease of 20 s that began at 100 s.
  private final class Requests {
    private var requests = LeaseRequests(
      LeaseTerms(length: .seconds(20)),
      greetedAt: .seconds(100)
    )

    var end: Int64 { requests.end }
    func ask(at seconds: Double) -> UInt64 { requests.ask(at: .seconds(seconds)) }
    /// Returns whether that puts off the end.
    func note(answerTo number: UInt64) -> Bool {
      let before = requests.end
      requests.note(answerTo: number)
      return requests.end > before
    }
    func mayBegin(at now: Int64) -> Bool { requests.mayBegin(at: now) }
    func stop(for seconds: Double) { requests.stop(LeaseTerms(length: .seconds(seconds))) }
    func proceed(at seconds: Double) { requests.proceed(at: .seconds(seconds)) }
  }

  private let requests = Requests()

  @Test("the greeting counts as a request, and each answer counts from its request")
  func answers() {
    #expect(requests.end == .seconds(120))
    #expect(requests.ask(at: 102) == 1)
    #expect(requests.ask(at: 104) == 2)
    #expect(requests.note(answerTo: 1))
    #expect(requests.end == .seconds(122))
    #expect(requests.note(answerTo: 2))
    #expect(requests.end == .seconds(124))
  }

  @Test("an answer to nothing, a second one, and one that was overtaken change nothing")
  func others() {
    for second in 1...3 { _ = requests.ask(at: 100 + Double(second)) }
    #expect(!requests.note(answerTo: 9))
    #expect(requests.note(answerTo: 3))
    for number in UInt64(1)...3 { #expect(!requests.note(answerTo: number)) }
    #expect(requests.end == .seconds(123))
  }

  @Test("a clock that goes back moves the end to no earlier time")
  func backwards() {
    _ = requests.ask(at: 90)
    #expect(!requests.note(answerTo: 1))
    #expect(requests.end == .seconds(120))
  }

  @Test("in the second half of a lease nothing begins")
  func second() {
    #expect(requests.mayBegin(at: .seconds(110) - 1))
    #expect(!requests.mayBegin(at: .seconds(110)))
    _ = requests.ask(at: 109)
    #expect(requests.note(answerTo: 1))
    #expect(requests.mayBegin(at: .seconds(119) - 1))
  }

  @Test(
    "while it is stopped a worker lives longer, and begins nothing until it has an answer again"
  )
  func stopped() {
    requests.proceed(at: 101)
    #expect(requests.end == .seconds(120), "it was not stopped")
    requests.stop(for: 1_000)
    #expect(requests.end == .seconds(1_100))
    #expect(!requests.mayBegin(at: .seconds(101)))
    requests.proceed(at: 500)
    #expect(requests.end == .seconds(520), "no later than the coordinator believes")
    #expect(!requests.mayBegin(at: .seconds(501)))
    #expect(requests.ask(at: 502) == 1 && requests.note(answerTo: 1))
    #expect(requests.end == .seconds(522) && requests.mayBegin(at: .seconds(503)))
  }

  @Test("an answer that comes while it is stopped moves the end to no earlier time")
  func answeredWhileStopped() {
    _ = requests.ask(at: 105)
    requests.stop(for: 1_000)
    #expect(requests.note(answerTo: 1))
    #expect(requests.end == .seconds(1_105))
  }

  @Test("requests that are never answered are not all kept")
  func limit() {
    for _ in 0...LeaseRequests.limit { _ = requests.ask(at: 105) }
    #expect(!requests.note(answerTo: 1))
    #expect(requests.note(answerTo: 2))
  }
}
