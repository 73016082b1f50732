import PoolModel
import Testing

@testable import PoolCore

/// Each state of each life times each event.
///
/// Pinned are what the event is taken for, the state that follows, and every effect. A row that is
/// missing fails, as does one that says something else.
@Suite("State times event")
struct StateTableTests {
  @Test("every event of the machine is in the tables")
  func completeness() throws {
    let methods = Set(OperationEvent.allCases.map(\.method))
    #expect(try EventCatalogue.read().subtracting(methods) == [])
    #expect(try methods.subtracting(EventCatalogue.read()) == [])
  }

  @Test("the operation's life", arguments: OperationStateName.allCases)
  func operation(_ state: OperationStateName) {
    let table = rows(OperationLifeTable.text)
    #expect(table.count == OperationStateName.allCases.count * OperationEvent.allCases.count)
    for event in OperationEvent.allCases {
      let scenario = state.scenario()
      let handle = scenario.id("a").handle
      #expect(OperationStateName(scenario.machine.graph.operations[handle].state) == state)
      let (reception, effects) = scenario.report(event, "a")
      let next = OperationStateName(scenario.machine.graph.operations[handle].state)
      let row = ([reception, next.rawValue] + effects).joined(separator: "; ")
      let key = "\(state.rawValue) \(event.rawValue)"
      #expect(table[key] == row, "\(key) | \(row)")
      #expect(scenario.machine.brokenInvariants() == [], "\(key)")
    }
  }

  @Test("the worker's life", arguments: WorkerStateName.allCases)
  func worker(_ state: WorkerStateName) {
    let table = rows(WorkerLifeTable.text)
    #expect(table.count == WorkerStateName.allCases.count * OperationEvent.allCases.count)
    for event in OperationEvent.allCases {
      let scenario = state.scenario()
      #expect(WorkerStateName(scenario.machine) == state)
      let (reception, effects) = scenario.report(event, "a", from: WorkerID(rawValue: 1))
      let next = WorkerStateName(scenario.machine)
      let row = ([reception, next.rawValue] + effects).joined(separator: "; ")
      let key = "\(state.rawValue) \(event.rawValue)"
      #expect(table[key] == row, "\(key) | \(row)")
      #expect(scenario.machine.brokenInvariants() == [], "\(key)")
    }
  }
}
