import PoolEvents
import PoolModel
import PoolReports
import PoolSystem

/// What other processes have asked a run for, and how far that is.
final class RunSteering: Sendable {
  /// An operation, or a group, that is cancelled, and its operations that had not ended.
  struct Target: Hashable {
    var id: [UInt8]
    var isGroup: Bool
    var numbers: [Int]
  }

  /// How far a request is.
  enum Course {
    /// The coordinator's thread has not taken it yet.
    case asked
    /// It cannot be met.
    case refused(String)
    /// The targets are cancelled; these operations will be skipped. The notes say what was being
    /// ended before.
    case cancelling([Target], skips: [Int], notes: [String])
    /// Nothing begins any more; the notes say which process had asked for that before, if one had.
    case pausing(notes: [String])
    case done(SteeringReport)
  }

  /// A pause that was asked for.
  struct Pause {
    var asker: RunSteered.Asker
    var start: Instant
  }

  private struct Request {
    let number: UInt64
    let limit: Int
    var course: Course
    /// When its client has last asked, by the monotonic clock; nil once it knows the end.
    var askedAt: Int64?
    var turn = Turn.first
  }

  /// The turn of the coordinator's thread that ends what a request has led to.
  enum Turn {
    /// It was not awaited before.
    case first
    case awaited
    case passed
  }

  private struct State {
    var requests: [Request] = []
    var nextNumber: UInt64 = 1
    var pause: Pause?
    var startWidth = 1
    var width = 1
    var isScaled = false
  }

  /// The most requests that can be asked about.
  private static let requestLimit = 64
  /// Nanoseconds for which the end of a run waits for clients that ask again: 300 ms.
  private static let farewell = Int64.milliseconds(300)

  private let state = Monitor(State())

  /// The run begins with so many slots.
  func begin(width: Int) { state.withLock { ($0.startWidth, $0.width) = (width, width) } }

  /// The number of slots at the beginning.
  var startWidth: Int { state.withLock { $0.startWidth } }

  /// The number of slots that was asked for last; nil if none was.
  var width: Int? { state.withLock { $0.isScaled ? $0.width : nil } }

  /// Sets the number of slots; returns the one before.
  func scale(to width: Int) -> Int {
    state.withLock { state in
      defer { (state.width, state.isScaled) = (width, true) }
      return state.width
    }
  }

  /// Begins a pause; returns the one that holds already, if any.
  func pause(_ pause: Pause) -> Pause? {
    state.withLock { state in
      guard state.pause == nil else { return state.pause }
      state.pause = pause
      return nil
    }
  }

  /// Ends the pause; nil if there is none.
  func unpause() -> Pause? { state.withLock { $0.pause.take() } }

  /// A request that should be met within so many seconds; returns its number.
  func add(limit: Int) -> UInt64 {
    state.withLock { state in
      defer { state.nextNumber += 1 }
      if state.requests.count == Self.requestLimit { state.requests.removeFirst() }
      let number = state.nextNumber
      let request = Request(
        number: number,
        limit: limit,
        course: .asked,
        askedAt: MonotonicClock.now
      )
      state.requests.append(request)
      return number
    }
  }

  /// A request has come further.
  func set(_ course: Course, of number: UInt64) {
    state.withLock { state in
      guard let place = state.requests.firstIndex(where: { $0.number == number }) else { return }
      state.requests[place].course = course
    }
  }

  /// A client asks about a request; nil for one that is not known.
  func ask(_ number: UInt64) -> (course: Course, limit: Int)? {
    state.withLock { state in
      guard let place = state.requests.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      state.requests[place].askedAt = MonotonicClock.now
      return (state.requests[place].course, state.requests[place].limit)
    }
  }

  /// How far the turn is that a request needs; from now on it is awaited.
  func awaitTurn(_ number: UInt64) -> Turn {
    state.withLock { state in
      guard let place = state.requests.firstIndex(where: { $0.number == number }) else {
        return .passed
      }
      let turn = state.requests[place].turn
      if turn == .first { state.requests[place].turn = .awaited }
      return turn
    }
  }

  /// That turn is over.
  func passTurn(_ number: UInt64) {
    state.withLock { state in
      guard let place = state.requests.firstIndex(where: { $0.number == number }) else { return }
      state.requests[place].turn = .passed
    }
  }

  /// A client has been told that its request was met, or cannot be.
  func conclude(_ number: UInt64) {
    state.withLock { state in
      guard let place = state.requests.firstIndex(where: { $0.number == number }) else { return }
      state.requests[place].askedAt = nil
    }
    state.broadcast()
  }

  /// The run is over: waits a moment for clients that are about to ask how their requests ended.
  func finish() {
    _ = state.wait(until: MonotonicClock.now + Self.farewell) { state in
      state.requests.contains { request in
        request.askedAt.map { MonotonicClock.now - $0 < Self.farewell } ?? false
      }
    }
  }
}
