import PoolCore
import PoolEvents
import PoolModel
import PoolSystem
import PoolWire

extension PoolOperationQueue {
  /// What happens in the queue from now on, as records: lines of JSON that programs, and
  /// `opool report`, can read.
  ///
  /// ```swift
  /// let records = queue.records
  /// Task {
  ///   for await record in records { print(record.json) }
  /// }
  /// ```
  ///
  /// The first record tells of the process. Then come the operations that have not finished, and
  /// each that is added; starts, ends and retries of attempts; outcomes; and the workers of the
  /// queue's ``fleet`` that greet and end. Operations are numbered in this order, from 1. A limit
  /// has no record; an exclusive category has one, as a claim.
  ///
  /// It ends with the queue object, and has then a last record of the type `runEnded`, if all
  /// operations have finished. A slow reader holds up nothing: of unread records, the latest
  /// ``PoolEventStream/capacity`` are kept, and ``PoolEventStream/missedCount`` counts the others.
  /// Each call makes a stream of its own, for one reader; ask for it before you add operations.
  public var records: PoolEventStream<PoolRecord> {
    let (stream, writer) = PoolEventStream.make(keeping: PoolRecord.self)
    record(to: RecordStream(writer)) { _, _ in }
    return stream
  }

  /// Tells a target what happens in the queue from now on; calls the closure with the recorder
  /// before it begins.
  func record(
    to target: some RecordTarget,
    _ prepare: (QueueObservers, QueueRecorder) -> Void
  ) {
    let registry = OperationRegistry.process
    // Files of the system are read for it, which may not be under the lock.
    let began = Self.began(width: maxConcurrentOperationCount)
    registry.update { transaction in
      transaction.observe(core.id)
      let engine = registry.engine
      let recorder = QueueRecorder(target, from: transaction.nextEvent) { engine.now }
      let operations = registry.operations(transaction.operations(in: core.id))
      let observers = core.makeObservers(for: self)
      prepare(observers, recorder)
      recorder.begin(began, with: operations.withMembers)
      observers.add(recorder)
      registry.fleetObservers.add(recorder, to: core.fleet.id)
    }
  }

  /// What the first record says; the wall clock is read now, which is the moment 0 of the records.
  private static func began(width: Int) -> RunBegan {
    RunBegan(
      start: WallClock.nanoseconds,
      run: runIdentifier,
      journal: nil,
      process: CurrentProcess.identifier,
      host: MachineIdentity.hostName,
      boot: BootIdentifier.current,
      cores: Processors.available,
      memory: MachineIdentity.memory,
      width: width == defaultMaxConcurrentOperationCount ? nil : width,
      folder: nil
    )
  }
}

/// 32 hexadecimal digits that no other run has.
private var runIdentifier: [UInt8] {
  let halves = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
  return Array(halves.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined().utf8)
}

extension [PoolOperation] {
  /// The operations, each group followed by its members.
  var withMembers: [PoolOperation] { flatMap { [$0] + $0.allMembers } }
}

extension PoolRecord: CompactEvent {
  var event: Self { self }
}
