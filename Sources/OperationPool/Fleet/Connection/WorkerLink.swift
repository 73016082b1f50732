import PoolModel

/// What is known of a worker that is not certainly on this machine.
struct WorkerLink {
  /// What its machine is called, if it has said so.
  let host: String?
  /// What the link may have carried to it.
  var sent = SentDispatches()
  /// When it was last asked how far it is.
  private var askedAt: Int64?
  /// Whether it has not answered that yet.
  private var isAsked = false
  /// Nanoseconds from the first question to its answer; nil until that is known.
  private(set) var roundTrip: Int64?
  /// Whether so many bytes wait for it that it is given no more operations ahead.
  private(set) var isCongested = false
  /// The number of the latest question whether it goes on; each has another one.
  private(set) var continuation = UInt64.max
  /// Bytes of its reports that were taken, and not granted again.
  private var taken = 0

  /// How many bytes of reports a worker may send before more are granted: 1 MiB.
  static let window = 1 << 20

  /// The number of the question how far a worker is, which no other one has.
  static let question = UInt64.max
  /// The time between two questions, while it is given operations.
  private static let interval = Int64.milliseconds(250)
  /// More bytes than these are too many for waiting.
  private static let fullByteCount = 1 << 20

  init(host: String?) {
    self.host = host
  }

  /// Whether it is to be asked again how far it is.
  func isDue(at now: Int64) -> Bool {
    !isAsked && askedAt.map { now >= $0 + Self.interval } ?? false
  }

  /// The question is about to be sent.
  mutating func ask(at now: Int64) {
    askedAt = now
    isAsked = true
  }

  /// It has answered a question; returns how far it is, if it was asked that.
  mutating func noteAnswer(to number: UInt64, at now: Int64) -> Int64? {
    guard number == Self.question, isAsked, let askedAt else { return nil }
    isAsked = false
    if roundTrip == nil { roundTrip = now - askedAt }
    return now - askedAt
  }

  /// It is about to be asked whether it goes on.
  mutating func askForContinuation() -> UInt64 {
    continuation -= 1
    return continuation
  }

  /// A report was taken.
  mutating func noteTaken(_ byteCount: Int) { taken += byteCount }

  /// How many bytes are to be granted; nil as long as they are few.
  mutating func takeGrant() -> Int? {
    guard taken >= Self.window / 4 else { return nil }
    defer { taken = 0 }
    return taken
  }

  /// So many bytes wait for it; returns whether it is congested, if that is news.
  mutating func noteWaiting(_ byteCount: Int) -> Bool? {
    let wasCongested = isCongested
    isCongested = byteCount > (wasCongested ? Self.fullByteCount / 4 : Self.fullByteCount)
    return isCongested == wasCongested ? nil : isCongested
  }
}
