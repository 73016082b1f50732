import PoolModel
import Testing

@testable import PoolCore

extension Set<Capability> {
  /// One operation at a time, ended by signals.
  static let minimal: Self = []
  /// Operations ahead, which it returns, and cancels when asked to.
  static let full: Self = [.prefetch, .recall, .cancel]
}

// What workers and time do.

extension Scenario {
  func greet(
    _ worker: UInt32,
    as capabilities: Set<Capability> = .minimal,
    kinds: [KindID]? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerGreeted(
        WorkerID(rawValue: worker),
        kinds: kinds ?? self.kinds,
        capabilities: capabilities,
        at: $1
      )
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func start(
    _ name: String,
    group: Int32? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerReported(.executing(group: group), reference(name), by: worker(of: name), at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func answer(
    _ name: String,
    _ ending: PoolEnding = .succeeded,
    _ expected: String...,
    elapsed: Int64? = nil,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerReported(
        .answered(ending, .error, .none, elapsed: elapsed),
        reference(name),
        by: worker(of: name),
        at: $1
      )
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func allowReuse(of name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    let reception = expect(expected, place) {
      $0.workerReported(.returned, reference(name), by: worker(of: name), at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func exit(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) {
      $0.workerExited(WorkerID(rawValue: worker), detail: .none, at: $1)
    }
  }

  /// The link to a worker has ended, to which the dispatches up to this operation's were sent.
  func cut(
    _ worker: UInt32,
    sentUpTo name: String,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) -> Int {
    let last = reference(name).dispatch
    return expect(expected, place) {
      $0.workerExited(WorkerID(rawValue: worker), inDoubtUpTo: last, detail: .none, at: $1)
    }
  }

  /// A worker has asked for its lease to be renewed.
  func renew(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.supervise(.renewed(WorkerID(rawValue: worker)), at: $1) }
  }

  /// A worker could not be started for want of something.
  func lack(
    _ worker: UInt32,
    of shortage: WorkerShortage = .ofSystem,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) {
      $0.workerExited(WorkerID(rawValue: worker), shortOf: shortage, detail: .none, at: $1)
    }
  }

  func violate(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.supervise(.violated(WorkerID(rawValue: worker)), at: $1) }
  }

  func hangUp(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.supervise(.hungUp(WorkerID(rawValue: worker)), at: $1) }
  }

  func pause(
    _ worker: UInt32,
    within frame: PartialFrame? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) {
      $0.workerWasRead(WorkerID(rawValue: worker), within: frame, at: $1)
    }
  }

  /// The worker is not read from now on, or is read again.
  func read(
    _ worker: UInt32,
    _ isOn: Bool,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, now in
      let worker = WorkerID(rawValue: worker)
      if isOn {
        machine.supervise(.resumeReading(worker), at: now)
      } else {
        machine.supervise(.pauseReading(worker), at: now)
      }
    }
  }

  /// A worker has begun to print where it crashes.
  func crash(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { machine, now in
      machine.supervise(.crashing(WorkerID(rawValue: worker)), at: now)
    }
  }

  /// How long it is until something is due.
  var timeLeft: Int64 {
    (machine.nextDeadline ?? .distantFuture).nanoseconds - now.nanoseconds
  }

  /// So many nanoseconds pass, in which the pool looks whenever something may be due.
  func pass(_ nanoseconds: Int64, _ expected: String..., at place: Place = #_sourceLocation) {
    let end = now.advanced(by: nanoseconds)
    now = end
    expect(expected, place) { machine, _ in
      for _ in 0..<1_000 {
        guard let deadline = machine.nextDeadline, deadline < end else { break }
        machine.fireTimers(at: deadline)
        machine.dispatch(at: deadline)
      }
      machine.fireTimers(at: end)
    }
  }

  /// So many nanoseconds pass, in which the pool does not look.
  func comeLate(_ nanoseconds: Int64, _ expected: String..., at place: Place = #_sourceLocation) {
    now = now.advanced(by: nanoseconds)
    expect(expected, place) { $0.fireTimers(at: $1) }
  }

  /// A worker begins what it was given, and answers it; then these effects follow.
  func execute(
    _ name: String,
    _ ending: PoolEnding = .succeeded,
    attempt: Int = 1,
    then expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let worker = worker(of: name)
    start(name, "\(name) executes on \(worker) as attempt \(attempt)", at: place)
    let settled = "settle \(name) \(ending) by answer in attempt \(attempt) on \(worker)"
    let reception = expect([settled] + expected, place) {
      $0.workerReported(.answered(ending, .error, .none), reference(name), by: worker, at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  /// Asks for idle workers, with nothing left over: the first operation makes them greet.
  func staff(_ count: UInt32) {
    let names = (1...count).map { "warm\($0)" }
    _ = context { machine, now in
      for name in names { create(.init(name), in: &machine) }
      machine.enqueue(names.map(id), in: queue, at: now)
    }
    for worker in 1...count {
      _ = context {
        $0.workerGreeted(WorkerID(rawValue: worker), kinds: kinds, capabilities: .minimal, at: $1)
      }
    }
    for name in names { execute(name) }
  }
}
