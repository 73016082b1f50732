import OperationPool
import PoolModel

// Groups and conditions.

extension PaperRun {
  /// Makes a group, without members; it claims nothing, so that what it does a moment later does
  /// not compete with anything.
  mutating func createGroup() {
    var record = PaperPool.Operation()
    record.isGroup = true
    record.priority = pick(PoolQueuePriority.allCases) ?? .normal
    record.raisesDependencies = chance(10)
    record.isBarrier = chance(10)
    var options = PoolOperationOptions(queuePriority: record.priority)
    options.raisesDependencies = record.raisesDependencies
    options.isBarrier = record.isBarrier
    note("create the group \(operations.count): \(record)")
    do throws(PoolError) {
      keep(try PoolGroupOperation(options: options), record)
      enrol()
    } catch {
      faults.append("there is no group: \(error)")
    }
  }

  private mutating func pickGroup(
    where isWanted: (PaperPool.Operation) -> Bool = { _ in true }
  ) -> (Int, PoolGroupOperation)? {
    pick(indices { $0.isGroup && isWanted($0) }).flatMap { index in
      (operations[index] as? PoolGroupOperation).map { (index, $0) }
    }
  }

  /// Adds operations to a group: none that claims anything, no barrier and no group.
  mutating func enrol() {
    let isLate = chance(10)
    guard let (group, whole) = pickGroup(where: { isLate || !$0.isFinished }) else { return }
    let plain = indices { !$0.isGroup && !$0.isBarrier && $0.claims.isEmpty }
    let loose = plain.filter { paper.operations[$0].phase == .loose }
    var batch = Array((chance(90) ? loose : plain).shuffled(using: &generator).prefix(3))
    batch = Array(batch.prefix(1 + number(below: 3)))
    guard !batch.isEmpty else { return }
    note("add \(batch) to the group \(group)")
    guard let isAccepted = attempt({ $0.enrol(batch, in: group) }) else { return }
    let real = batch.compactMap { operations[$0] }
    expect(isAccepted) { () throws(PoolError) in try whole.addOperations(real) }
  }

  mutating func addGroup() {
    guard let (index, _) = pickGroup(where: { $0.phase == .loose && !$0.members.isEmpty }) else {
      return
    }
    if let queue = pick(Array(queues.indices)) { add([index], to: queue) }
  }

  mutating func cancelGroup() {
    guard let (index, _) = pickGroup(where: { $0.phase != .loose && !$0.isFinished }) else {
      return
    }
    cancel(index)
  }

  mutating func widenGroup() {
    guard let (index, group) = pickGroup() else { return }
    _ = widen(index, group, to: number(below: 4) - 1)
  }

  /// Changes the width of a group; false where it does not.
  mutating func widen(_ index: Int, _ group: PoolGroupOperation, to width: Int) -> Bool {
    note("the group \(index) becomes \(width) wide")
    let change: Void? = attempt { paper in
      paper.limit(index, to: width < 0 ? .max : width)
      paper.settle()
    }
    guard change != nil else { return false }
    perform { group.maxConcurrentOperationCount = width }
    return true
  }

  // MARK: Conditions

  /// Adds a condition, which asks the stage.
  mutating func demand() {
    let candidates = indices { !$0.hasCondition || $0.phase != .loose }
    if let index = pick(candidates) { demand(of: index) }
  }

  mutating func demand(of index: Int) {
    guard let operation = operations[index] else { return }
    note("\(index) has a condition")
    let record = paper.operations[index]
    let isAccepted = record.phase == .loose && record.group == nil
    if isAccepted { paper.operations[index].hasCondition = true }
    let condition = PoolCondition("the stage") { [stage] _ in try await stage.evaluate(index) }
    expect(isAccepted) { () throws(PoolError) in try operation.addCondition(condition) }
  }

  mutating func answer() {
    guard let place = pick(Array(questions.indices)) else { return }
    _ = answer(place, chance(70) ? .success : PaperStage.Ending.allCases[number(below: 3)])
  }

  /// Answers an evaluation, perhaps in vain; false where it does not.
  mutating func answer(_ place: Int, _ answer: PaperStage.Ending) -> Bool {
    let question = questions[place]
    note("\(question) is answered: \(answer)")
    guard attempt({ $0.answer(question.index, question.number, answer) }) != nil else {
      return false
    }
    questions.remove(at: place)
    perform { [stage] in stage.answer(question, answer) }
    return true
  }
}
