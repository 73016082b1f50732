import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: the loop copes with whatever workers, the system and its client do, one turn at a
/// time, without any process and without waiting.
@Suite("The loop's turns")
struct LoopSceneTests {
  private static func execute(_ messages: [CoordinatorMessage]) -> [DispatchReference] {
    messages.compactMap { message in
      guard case .execute(let execute) = message else { return nil }
      return execute.reference
    }
  }

  private static func succeed(_ worker: FakeWorker, _ references: [DispatchReference]) throws {
    for reference in references {
      try worker.say(.executing(reference, nil), .finished(reference, Answer(result: [0x31])))
    }
  }

  @Test("a worker whose input takes one byte at a time gets all of it, and keeps no other waiting")
  func narrowInput() throws {
    var stage = try LoopStage(workers: 2)
    let payload = "\"\(String(repeating: "x", count: 300))\""
    let operations = [stage.submit(payload), stage.submit(payload)]
    stage.settle()
    let narrow = try stage.startWorker()
    narrow.narrow(to: 1)
    try narrow.greet()
    let turns = stage.settle()
    #expect(turns > 300, "each byte took a turn")
    let wide = try stage.startGreetedWorker()
    let references = Self.execute(try narrow.hear()) + Self.execute(try wide.hear())
    #expect(Set(references.map(\.operation)) == Set(operations))
    try Self.succeed(wide, [references[1]])
    stage.settle()
    #expect(stage.client.outcome(of: references[1].operation)?.ending == .succeeded)
    try Self.succeed(narrow, [references[0]])
    stage.settle()
    #expect(stage.client.outcome(of: references[0].operation)?.ending == .succeeded)
  }

  @Test("a worker whose answers come one byte at a time is heard")
  func narrowOutput() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    for byte in FakeWorker.bytes(of: [.executing(reference, nil), .finished(reference, Answer())]) {
      #expect(stage.client.outcome(of: operation) == nil)
      try worker.write([byte])
      stage.settle()
    }
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
  }

  @Test(
    "what a worker answered counts where it dies between two frames, and within one",
    arguments: [0, 1, 10]
  )
  func death(within byteCount: Int) throws {
    var stage = try LoopStage()
    let operations = [stage.submit(), stage.submit()]
    stage.settle()
    let worker = try stage.startGreetedWorker()
    try Self.succeed(worker, Self.execute(try worker.hear()))
    stage.settle()
    let second = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(second, nil))
    let answer = FakeWorker.bytes(of: [.finished(second, Answer())])
    try worker.write(Array(answer.prefix(byteCount)))
    worker.hangUp(isOpen: true)
    worker.end(.signaled(11))
    stage.settle()
    #expect(operations.map { stage.client.outcome(of: $0)?.ending } == [.succeeded, .lost])
    let death = try #require(stage.client.deaths.first)
    #expect(death.status == .signaled(11) && (death.violation != nil) == (byteCount > 0))
  }

  @Test(
    "the end of a killed worker waits for what it has left, but not for ever",
    arguments: [false, true]
  )
  func orphans(_ isStuck: Bool) throws {
    var stage = try LoopStage(from: { .thisExecutable(count: $0) })
    stage.system.adoptOrphans()
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startWorker()
    try worker.greet([.cancel, .teardown])
    stage.settle()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    stage.settle()
    worker.setStatus(.signaled(9))
    worker.end(.signaled(9))
    stage.settle()
    stage.system.advance(by: .seconds(9))
    stage.settle()
    #expect(stage.client.outcome(of: operation) == nil)
    if isStuck {
      stage.system.advance(by: .seconds(1))
    } else {
      #expect(stage.system.endOrphans() == 1)
    }
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .lost)
    // An end that is told late is no second one.
    #expect(stage.system.endOrphans() == (isStuck ? 1 : 0))
    stage.settle()
    #expect(stage.client.deaths.count == 1)
    #expect(worker.deeds.isEmpty)
  }

  @Test("a worker that lacks a kind which its configuration names breaks the protocol")
  func lackingKind() throws {
    let standard = try PoolWorkerConfiguration.standard(count: 1)
    var stage = try LoopStage(from: { _ in standard })
    _ = stage.submit(kind: CommandPayload.kind)
    stage.settle()
    let worker = try stage.startWorker()
    try worker.greet()
    stage.settle()
    worker.end(.signaled(9))
    stage.settle()
    let violation = try #require(stage.client.deaths.first?.violation)
    #expect(violation.contains("lacks kinds which its worker configuration serves"))
  }

  @Test(
    "an operation whose output cannot be fetched has failed, also if its worker is gone",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func lostOutput() throws {
    var stage = try LoopStage(from: { .thisExecutable(count: $0) })
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startWorker()
    try worker.greet(pid: CurrentProcess.identifier)
    stage.settle()
    let reference = try #require(Self.execute(try worker.hear()).first)
    let output = OutputReference.file(descriptor: .max, byteCount: 20_000)
    try worker.say(.executing(reference, nil), .finished(reference, Answer(standardOutput: output)))
    worker.end(.signaled(9))
    stage.settle()
    let outcome = try #require(stage.client.outcome(of: operation))
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.description.hasPrefix("its output is lost: ") == true)
  }

  @Test("an operation whose worker has died is executed by the next one", arguments: [0, 3])
  func failedSpawns(_ failures: Int) throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    for number in 0..<failures {
      var obstacle = SpawnObstacle("no room for number \(number)")
      obstacle.shortage = .ofSystem
      try #require(stage.system.takeRequest()).failed(obstacle)
      stage.settle()
      #expect(stage.system.requestCount == 0, "it is tried again later")
      while stage.system.requestCount == 0 { try stage.advanceToDeadline() }
    }
    let worker = try stage.startGreetedWorker()
    try Self.succeed(worker, Self.execute(try worker.hear()))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
    #expect(stage.client.deaths.count == failures)
  }

  @Test("workers that cannot be started are given up, and what waits for them fails")
  func givenUp() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    var failures = 0
    while stage.client.outcome(of: operation) == nil {
      if let request = stage.system.takeRequest() {
        request.failed(SpawnObstacle("nothing there"))
        failures += 1
        stage.settle()
      } else {
        try stage.advanceToDeadline()
      }
    }
    #expect(failures == PoolPolicy().firstStartLimit + 1)
    #expect(stage.client.outcome(of: operation)?.ending == .failed)
    #expect(stage.client.words.last == "gave up")
  }

  @Test("an operation whose time is over is asked, signalled and killed, each in its time")
  func timeout() throws {
    var stage = try LoopStage()
    let hour = Int64.seconds(3_600)
    let operation = stage.submit(timeout: hour)
    stage.settle()
    let worker = try stage.startGreetedWorker([.cancel, .ping])
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    stage.settle()
    let start = stage.engine.now
    var asked: Int64?
    var deedTimes: [Int64] = []
    while deedTimes.count < 2 {
      try stage.advanceToDeadline()
      let passed = stage.engine.now.nanoseconds - start.nanoseconds
      for message in try worker.hear() {
        if case .cancel = message { asked = passed }
        if case .ping(let number) = message { try worker.say(.pong(number)) }
      }
      while deedTimes.count < worker.deeds.count { deedTimes.append(passed) }
      stage.settle()
    }
    #expect(asked == hour)
    #expect(deedTimes == [hour + .seconds(2), hour + .seconds(3)])
    #expect(worker.deeds == [.signal(15), .kill(group: nil)])
    worker.end(.signaled(9))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .timedOut)
  }

  @Test("the end of a killed worker of which there is no news is found, and counts once")
  func lateExit() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    worker.hangUp()
    stage.settle()
    #expect(stage.client.deaths.isEmpty, "its exit has not been told")
    try stage.advanceToDeadline()
    #expect(stage.client.deaths.isEmpty, "the system does not know of it either")
    worker.setStatus(.exited(3))
    while stage.client.deaths.isEmpty { try stage.advanceToDeadline() }
    #expect(stage.client.deaths.map(\.status) == [.exited(3)])
    #expect(stage.client.outcome(of: operation)?.ending == .lost)
    worker.end(.exited(3))
    stage.settle()
    #expect(stage.client.deaths.count == 1)
  }

  @Test("an exit that is told before the start ends the worker once it has come")
  func exitBeforeStart() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let request = try #require(stage.system.takeRequest())
    let worker = try FakeWorker(request.ended)
    worker.end(.exited(1))
    stage.settle()
    #expect(stage.client.deaths.isEmpty)
    request.started(worker.makeProcess())
    stage.settle()
    #expect(stage.client.deaths.map(\.status) == [.exited(1)])
    let next = try stage.startGreetedWorker()
    try Self.succeed(next, Self.execute(try next.hear()))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
  }

  @Test("a worker that says something is not read while the client takes no remarks; others are")
  func heldRemarks() throws {
    var stage = try LoopStage(workers: 2)
    let operations = [stage.submit(), stage.submit()]
    stage.settle()
    let workers = [try stage.startGreetedWorker(), try stage.startGreetedWorker()]
    let references = try workers.map { try #require(Self.execute(try $0.hear()).first) }
    stage.client.setTakesRemarks(false)
    try workers[0].say(.executing(references[0], nil), .log(references[0], Log(message: "one")))
    stage.settle()
    #expect(stage.client.logs == ["one"], "what was read is passed on")
    try workers[0].say(.log(references[0], Log(message: "two")), .finished(references[0], Answer()))
    try Self.succeed(workers[1], [references[1]])
    stage.settle()
    #expect(stage.client.logs == ["one"])
    #expect(operations.map { stage.client.outcome(of: $0)?.ending } == [nil, .succeeded])
    stage.client.setTakesRemarks(true)
    stage.engine.readAgain()
    stage.settle()
    #expect(stage.client.logs == ["one", "two"])
    #expect(stage.client.outcome(of: operations[0])?.ending == .succeeded)
  }

  @Test("a log that comes after its operation's answer is passed on, and is no violation")
  func lateLog() throws {
    var stage = try LoopStage(workers: 1)
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try Self.succeed(worker, [reference])
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
    try worker.say(.log(reference, Log(message: "late")))
    stage.settle()
    #expect(stage.client.logs == ["late"])
    #expect(stage.client.deaths.isEmpty)
  }

  @Test(
    "pieces of outputs are told while the operation executes, and hold their worker back",
    arguments: [(OutputUse.now, ""), (.nowAndAtEnd, "onetwothree")]
  )
  func heldOutputs(_ use: OutputUse, kept: String) throws {
    var stage = try LoopStage(workers: 1)
    stage.client.setOutputUse(use)
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    func piece(_ text: String) -> WorkerMessage {
      .output(reference, OutputChunk(isError: false, bytes: Array(text.utf8)))
    }
    try worker.say(.executing(reference, nil), piece("one"))
    stage.settle()
    #expect(stage.client.pieces == ["one"])
    stage.client.setTakesRemarks(false)
    try worker.say(piece("two"))
    stage.settle()
    try worker.say(piece("three"), .finished(reference, Answer()))
    stage.settle()
    #expect(stage.client.pieces == ["one", "two"], "what was read is passed on")
    #expect(stage.client.outcome(of: operation) == nil)
    stage.client.setTakesRemarks(true)
    stage.engine.readAgain()
    stage.settle()
    #expect(stage.client.pieces == ["one", "two", "three"])
    let outcome = try #require(stage.client.outcome(of: operation))
    let output = outcome.report.standardOutput
    #expect(output.prefix == Array("onetwothree".utf8))
    var whole: [UInt8] = []
    try output.forEachPiece { whole += $0 }
    #expect(whole == Array(kept.utf8))
  }

  @Test("pieces of outputs of what does not execute are dropped")
  func strayOutputs() throws {
    var stage = try LoopStage(workers: 1)
    stage.client.setOutputUse(.now)
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    let stray = WorkerMessage.output(reference, OutputChunk(isError: false, bytes: [1]))
    try worker.say(stray, .executing(reference, nil), .finished(reference, Answer()))
    stage.settle()
    let outcome = try #require(stage.client.outcome(of: operation))
    #expect(stage.client.pieces.isEmpty && outcome.report.standardOutput.isEmpty)
  }

  @Test("while this process is stopped no timeout runs, and then all workers go on")
  func stop() throws {
    let hour = Int64.seconds(3_600)
    var stage = try LoopStage(stopLength: 10 * hour)
    let operation = stage.submit(timeout: hour)
    stage.settle()
    let worker = try stage.startGreetedWorker([.ping])
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    stage.settle()
    stage.engine.stopAll(by: 20)
    stage.settle()
    while stage.system.stops == 0 { try stage.advanceToDeadline() }
    #expect(worker.deeds.first == .signal(20))
    stage.engine.continueAll(by: 18)
    stage.settle()
    #expect(worker.deeds.last == .signal(18))
    #expect(stage.client.outcome(of: operation) == nil, "its hour has not passed")
    try worker.say(.finished(reference, Answer()))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .succeeded)
  }

  @Test("told to go on after the decision to stop, and before the stop, this process does not stop")
  func continuedBeforeStop() throws {
    var stage = try LoopStage()
    _ = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, ProcessGroup(pid: 77, group: 77)))
    stage.settle()
    stage.engine.stopAll(by: 20)
    stage.engine.continueAll(by: 18)
    stage.settle()
    #expect(stage.system.stops == 0)
    #expect(worker.deeds.last == .groupSignal(18, group: 77))
    stage.engine.stopAll(by: 20)
    stage.settle()
    #expect(stage.system.stops == 1, "the next stop is as any")
  }

  @Test("stopped again before it has heard that it was continued, this process stops again")
  func stoppedAgain() throws {
    var stage = try LoopStage()
    for count in 1...2 {
      stage.engine.stopAll(by: 20)
      stage.engine.stopAll(by: 20)
      stage.settle()
      #expect(stage.system.stops == count)
    }
  }

  @Test("without a loop, the thread that wants the stop stops this process")
  func stopWithoutLoop() throws {
    var stage = try LoopStage()
    stage.engine.closeFleet(stage.fleet)
    stage.settle()
    stage.end()
    stage.engine.stopAll(by: 20)
    #expect(stage.system.stops == 1)
    stage.engine.continueAll(by: 18)
    stage.engine.stopAll(by: 20)
    #expect(stage.system.stops == 2)
  }

  @Test("a deadline of the run comes when its time has passed, and once")
  func runDeadline() throws {
    var stage = try LoopStage()
    stage.engine.setRunDeadline(after: .seconds(86_400))
    stage.settle()
    #expect(stage.client.deadlines == 0)
    let length = try stage.advanceToDeadline()
    #expect(length == .seconds(86_400))
    #expect(stage.client.deadlines == 1 && !stage.hasDeadline)
  }

  @Test("events come with numbers that never fall, and the last one is that nothing follows")
  func numbers() throws {
    var stage = try LoopStage()
    let operations = (0..<3).map { _ in stage.submit(retries: 1) }
    stage.settle()
    let first = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try first.hear()).first)
    try first.say(.executing(reference, nil))
    first.end(.exited(1))
    stage.settle()
    let second = try stage.startGreetedWorker([.prefetch])
    while stage.client.started.count < 4 {
      try Self.succeed(second, Self.execute(try second.hear()))
      stage.settle()
    }
    #expect(
      operations.map { stage.client.outcome(of: $0)?.ending } == [
        .succeeded, .succeeded, .succeeded,
      ]
    )
    #expect(stage.client.deaths.count == 1)
    let numbers = stage.client.numbers
    let next = stage.engine.shared.withLock { $0.transaction.nextEvent }
    #expect(numbers == numbers.sorted())
    #expect(numbers.last.map { $0 <= next } == true)
    stage.engine.closeFleet(stage.fleet)
    stage.settle()
    second.end(.exited(0))
    stage.settle()
    stage.end()
    #expect(stage.client.isStopped && stage.system.isClosed)
  }

  @Test("what is submitted after the last end, and before that is told, is executed")
  func lateSubmission() throws {
    var stage = try LoopStage()
    _ = stage.submit()
    stage.settle()
    let (engine, fleet, queue) = (stage.engine, stage.fleet, stage.queue)
    stage.client.whenAtRest { [client = stage.client] in
      _ = LoopStage.submit("null", to: queue, of: engine, client)
      engine.closeIfAtRest(fleet)
      client.whenAtRest { engine.closeIfAtRest(fleet) }
    }
    let worker = try stage.startGreetedWorker()
    for count in 1...2 {
      try Self.succeed(worker, Self.execute(try worker.hear()))
      stage.settle()
      #expect(stage.client.started.count == count)
    }
    worker.end(.exited(0))
    stage.settle()
    stage.end()
  }

  @Test("a worker that is never started is given up, and ended if it comes after all")
  func neverStarted() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let request = try #require(stage.system.takeRequest())
    while stage.client.deaths.isEmpty { try stage.advanceToDeadline() }
    #expect(stage.engine.now.nanoseconds == PoolPolicy().foreignGreetingTimeout)
    let worker = try FakeWorker(request.ended)
    request.started(worker.makeProcess())
    stage.settle()
    #expect(worker.deeds == [.discard])
    #expect(stage.client.words == ["died", "gave up"])
    #expect(stage.client.outcome(of: operation)?.failure?.cause == .noWorker)
  }

  @Test("a worker that starts at the moment when it is given up is ended")
  func startedTooLate() throws {
    var stage = try LoopStage()
    let operation = stage.submit()
    stage.settle()
    let request = try #require(stage.system.takeRequest())
    let worker = try FakeWorker(request.ended)
    // The loop counts by the time of the turn before, and has taken the messages of its turn then.
    stage.system.advance(by: .seconds(5))
    stage.settle()
    stage.system.whenMemoryKillsAreCounted { request.started(worker.makeProcess()) }
    while stage.client.deaths.isEmpty { try stage.advanceToDeadline() }
    stage.settle()
    #expect(stage.engine.now.nanoseconds == PoolPolicy().foreignGreetingTimeout)
    #expect(worker.deeds == [.discard])
    #expect(stage.client.outcome(of: operation)?.failure?.cause == .noWorker)
    worker.end(.signaled(9))
    stage.engine.closeFleet(stage.fleet)
    stage.settle()
    stage.end()
  }

  @Test("a dispatch waits until the client permits it, and what concerns it waits behind it")
  func heldDispatch() throws {
    var stage = try LoopStage(workers: 2)
    stage.client.setPermission(.later)
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker([.ping, .cancel])
    #expect(Self.execute(try worker.hear()).isEmpty)
    stage.engine.update { _ = $0.cancel(operation) }
    stage.settle()
    #expect(try worker.hear().isEmpty)
    stage.client.setPermission(.granted)
    stage.engine.takeTurn()
    stage.settle()
    let messages = try worker.hear()
    let reference = try #require(Self.execute(messages).first)
    guard case .cancel(reference, _) = try #require(messages.last) else {
      Issue.record("the cancellation does not follow the operation: \(messages)")
      return
    }
    try worker.say(.cancelled(reference, Answer(), step: nil))
    stage.settle()
    #expect(stage.client.outcome(of: operation)?.ending == .cancelled)
  }

  @Test("a dispatch that the client denies after a while ends its operation")
  func deniedDispatch() throws {
    var stage = try LoopStage()
    stage.client.setPermission(.later)
    let operation = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    stage.client.setPermission(.denied)
    stage.engine.takeTurn()
    stage.settle()
    #expect(Self.execute(try worker.hear()).isEmpty)
    #expect(stage.client.outcome(of: operation)?.ending == .failed)
  }

  @Test("a SIGKILL is the system's where it has killed something for want of memory since")
  func memoryKills() throws {
    var stage = try LoopStage()
    _ = stage.submit(retries: 3)
    stage.settle()
    for isSystem in [false, true, false] {
      while stage.system.requestCount == 0 { try stage.advanceToDeadline() }
      let worker = try stage.startGreetedWorker()
      let reference = try #require(Self.execute(try worker.hear()).first)
      try worker.say(.executing(reference, nil))
      stage.settle()
      if isSystem { stage.system.countMemoryKill() }
      worker.end(.signaled(9))
      stage.settle()
    }
    #expect(stage.client.deaths.map(\.lackedMemory) == [false, true, false])
  }

  @Test("a kill for want of memory that is seconds old explains no later SIGKILL")
  func oldMemoryKill() throws {
    var stage = try LoopStage()
    _ = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    stage.settle()
    stage.system.countMemoryKill()
    for progress in 1...3 {
      stage.system.advance(by: .seconds(1))
      try worker.say(.progress(reference, PoolProgress(completed: Int64(progress), total: 3)))
      stage.settle()
    }
    worker.end(.signaled(9))
    stage.settle()
    #expect(stage.client.deaths.map(\.lackedMemory) == [false])
  }

  @Test("a loop that sleeps while an operation executes knows the age of a kill nevertheless")
  func memoryKillDuringSleep() throws {
    var stage = try LoopStage()
    _ = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker()
    let reference = try #require(Self.execute(try worker.hear()).first)
    try worker.say(.executing(reference, nil))
    stage.settle()
    stage.system.countMemoryKill()
    for _ in 1...3 { #expect(try stage.advanceToDeadline() <= .seconds(1)) }
    worker.end(.signaled(9))
    stage.settle()
    #expect(stage.client.deaths.map(\.lackedMemory) == [false])
  }

  @Test("a held worker's silence does not count; once it is read again, it does")
  func heldSilence() throws {
    var stage = try LoopStage()
    _ = stage.submit()
    stage.settle()
    let worker = try stage.startGreetedWorker([.ping])
    let reference = try #require(Self.execute(try worker.hear()).first)
    stage.client.setTakesRemarks(false)
    try worker.say(.executing(reference, nil), .log(reference, Log(message: "one")))
    stage.settle()
    // The loop wakes up each second, to read the count of memory kills.
    var passed: Int64 = 0
    while passed < .seconds(3_600), stage.hasDeadline { passed += try stage.advanceToDeadline() }
    #expect(try worker.hear().isEmpty, "it is not asked whether it is there")
    stage.client.setTakesRemarks(true)
    stage.engine.readAgain()
    stage.settle()
    var messages = try worker.hear()
    passed = 0
    while messages.isEmpty, passed < .seconds(60) {
      passed += try stage.advanceToDeadline()
      messages += try worker.hear()
    }
    guard case .ping = messages.first else {
      Issue.record("it is not asked whether it is there: \(messages)")
      return
    }
  }
}
