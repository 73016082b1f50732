import OperationPool
import PoolAnalysis
import PoolCore
import PoolInputs
import PoolModel
import PoolReports

/// An operation or group of a run, by its number, as what knows where it stands at this moment.
struct NumberedOperation: StandingSource {
  /// The most operations that an answer names.
  private static let namedLimit = 10

  private let number: Int
  private let session: RunSession
  private let now: Instant

  init(_ number: Int, of session: RunSession) {
    (self.number, self.session) = (number, session)
    now = session.control.engine.now
  }

  private var workload: any Workload { session.workload }
  private var isGroup: Bool { number >= workload.count }

  func ending() -> Standing? { session.recorder.ending(of: number).map { .ended($0) } }

  func execution() -> Standing? {
    session.runProgress.execution(of: number).map { execution in
      let time = now.nanoseconds - execution.start.nanoseconds
      guard let ending = session.control.engine.endings[number] else {
        return .executing(execution.worker, time)
      }
      return .ending(execution.worker, time, Standing.Ending(ending, at: now))
    }
  }

  func nextAttempt() -> Standing? {
    session.runProgress.nextAttempt(of: number, after: now).map { due in
      .delayed(due.nanoseconds - now.nanoseconds)
    }
  }

  func dependencies() -> Standing? {
    let open = isGroup ? openMembers : openDependencies
    guard !open.isEmpty else { return nil }
    let named = open.prefix(Self.namedLimit).map { other($0) }
    return .dependencies(named, more: open.count - named.count)
  }

  /// The first operation that has not ended and is, or is before, the barrier.
  func barrier() -> Standing? {
    guard !isGroup else { return nil }
    let isBarrier = workload.isBarrier(number)
    let open = (0..<number).first { other in
      (isBarrier || workload.isBarrier(other)) && hasNotEnded(other)
    }
    return open.map { .barrier(isOwn: isBarrier, other($0)) }
  }

  func fullLimit() -> Standing? {
    guard !isGroup else { return nil }
    let executing = session.runProgress.executing
    for claim in workload.claims(of: number) {
      let holders = executing.filter { workload.claims(of: $0).contains(claim) }
      let resource = workload.resource(claim)
      guard holders.count >= resource.units else { continue }
      let named = holders.prefix(Self.namedLimit).map { other($0) }
      return .limit(resource.name, units: resource.units, named)
    }
    return nil
  }

  func pause() -> Standing? { session.control.pause.map { .paused(.run, $0) } }

  func rest() -> Standing {
    if let hold { return .heldBack(hold) }
    let slots = isGroup ? 1 : workload.slots(of: number)
    return .slot(count: slots, busy: session.runProgress.executing.count, turn(slots))
  }

  /// The place in the queue of a ready operation.
  private func turn(_ slots: Int) -> Standing.Turn? {
    guard !isGroup, let ahead = session.control.engine.ahead(of: number) else { return nil }
    return Standing.Turn(behind: ahead.count, start: expectedStart(behind: ahead, slots))
  }

  /// Nanoseconds until it starts; nil if a duration of another operation is not known.
  private func expectedStart(behind ahead: [Int], _ slots: Int) -> Int64? {
    guard ahead.count <= ExpectedStart.limit else { return nil }
    var executing: [ExpectedStart.Work] = []
    for (other, execution) in session.runProgress.executions {
      guard let time = duration(of: other) else { return nil }
      let elapsed = now.nanoseconds - execution.start.nanoseconds
      executing.append(ExpectedStart.Work(max(time - elapsed, 0), slots: workload.slots(of: other)))
    }
    var ready: [ExpectedStart.Work] = []
    for other in ahead {
      guard let time = duration(of: other) else { return nil }
      ready.append(ExpectedStart.Work(time, slots: workload.slots(of: other)))
    }
    let width = session.control.engine.standing(of: session.control.queue).slots
    return ExpectedStart.time(behind: executing, ready, slots: slots, width: width)
  }

  private func duration(of other: Int) -> Int64? {
    session.runProgress.expected(of: other) ?? workload.expected(of: other)
  }

  /// What holds back the next start although a slot is free.
  private var hold: String? {
    guard let hold = session.gate?.hold else { return nil }
    let standing = session.control.engine.standing(of: session.control.queue)
    return standing.taken < standing.slots ? hold : nil
  }

  private var openMembers: [Int] {
    (0..<workload.count).filter { operation in
      workload.group(of: operation).map { workload.count + $0 } == number && hasNotEnded(operation)
    }
  }

  private var openDependencies: [Int] {
    var open: [Int] = []
    workload.forEachDependency(of: number) { other, _ in
      if hasNotEnded(other) { open.append(other) }
    }
    return open
  }

  private func hasNotEnded(_ number: Int) -> Bool { session.recorder.ending(of: number) == nil }

  private func other(_ number: Int) -> Standing.Other {
    let start = session.runProgress.execution(of: number)?.start
    let id =
      number < workload.count
      ? workload.id(of: number) : workload.groupName(number - workload.count)
    return Standing.Other(id, executing: start.map { now.nanoseconds - $0.nanoseconds })
  }
}
