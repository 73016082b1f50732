import Testing

@testable import PoolCore

/// How many queues and fleets one machine can have.
struct HandleTests {
  @Test("65,536 queues exist side by side")
  func most() {
    var machine = PoolMachine(policy: PoolPolicy())
    let fleet = machine.addFleet()
    let queues = (0..<65_536).map { _ in machine.addQueue(to: fleet) }
    #expect(Set(queues).count == queues.count)
  }

  @Test("one more ends the process, with a message")
  func tooMany() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var machine = PoolMachine(policy: PoolPolicy())
      let fleet = machine.addFleet()
      for _ in 0...65_536 { _ = machine.addQueue(to: fleet) }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("no more than 65,536 queues"))
  }
}
