import PoolModel
import Testing

@testable import OperationPool

/// Contract: a worker is found by its number until it is removed.
@Suite("The table of workers")
struct PeerTableTests {
  @Test("it returns a removed worker once, and knows no other")
  func remove() {
    var table = PeerTable<WorkerPeer>()
    let id = WorkerID(rawValue: 3)
    let peer = WorkerPeer(id, ConfigurationID(rawValue: 0), pid: nil)
    table[id] = peer
    #expect(table[id] === peer)
    #expect(table[WorkerID(rawValue: 2)] == nil && table.remove(WorkerID(rawValue: 9)) == nil)
    #expect(table.remove(id) === peer)
    #expect(table[id] == nil && table.remove(id) == nil)
  }
}
