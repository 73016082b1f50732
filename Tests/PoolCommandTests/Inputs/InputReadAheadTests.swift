import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: reading pauses at the limits, and goes on once for each time that enough has ended.
@Suite("Room for inputs")
struct InputReadAheadTests {
  @Test("Lines are read again when half of them are done")
  func lines() {
    var room = InputReadAhead()
    room.add(9_999, byteCount: 0)
    #expect(!room.isFull)
    room.add(1, byteCount: 0)
    #expect(room.isFull)
    let wakes = (1...10_000).filter { _ in room.remove(byteCount: 0) }
    #expect(wakes == [5_000])
    #expect(!room.isFull)
  }

  @Test("Long lines are read again when half of their bytes are gone")
  func longLines() {
    var room = InputReadAhead()
    room.add(4, byteCount: 32 << 20)
    #expect(room.isFull)
    let wakes = (1...4).filter { _ in room.remove(byteCount: 8 << 20) }
    #expect(wakes == [2])
  }

  @Test("A block is read as soon as another is done")
  func blocks() {
    var room = InputReadAhead()
    room.limits = .blocks(count: 3, byteCount: 100)
    room.add(3, byteCount: 3)
    #expect(room.isFull)
    let first = room.remove(byteCount: 1)
    #expect(first && !room.isFull)
    let second = room.remove(byteCount: 1)
    #expect(!second)
    room.add(1, byteCount: 99)
    #expect(room.isFull)
    let third = room.remove(byteCount: 1)
    #expect(third && !room.isFull)
  }

  @Test("Blocks are three for each slot, unless descriptors or memory are few")
  func memory() {
    let memory = BlockMemory(of: 16 << 30)
    #expect(memory.largest == 2 << 30)
    let usual = memory.limits(slots: 4, descriptors: 1_024)
    #expect((usual.count, usual.lowCount, usual.byteCount) == (12, 11, 4 << 30))
    #expect(memory.limits(slots: 400, descriptors: 1_024).count == 128)
    #expect(memory.limits(slots: 4, descriptors: 20).count == 2)
  }
}
