import PoolTestSupport
import Testing

@testable import PoolCore

/// A position set is a set of small numbers whose least member is known.
@Suite("Position set")
struct PositionSetTests {
  @Test("random insertions and removals do what they do to a Set", arguments: 0..<10)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Every depth of the tree, and small ones that are full.
    let limit = [40, 64, 65, 4_096, 5_000, 262_144, 300_000][Int(seed % 7)]
    var model: Set<Int> = []
    var positions = PositionSet<Int>()
    for step in 0..<2_000 {
      let member = Int.random(in: 0..<limit, using: &generator)
      if model.remove(member) != nil {
        positions.remove(member)
      } else if step % 3 < 2 || model.count < 5 {
        model.insert(member)
        positions.insert(member)
      }
      if step % 5 == 0, let least = model.min() {
        #expect(positions.first == least, "seed \(seed)")
        model.remove(least)
        positions.remove(least)
      }
      guard positions.count == model.count, positions.contains(member) == model.contains(member)
      else {
        Issue.record("seed \(seed): \(member) in step \(step)")
        return
      }
    }
    drain(positions, model, seed)
  }

  private func drain(_ set: PositionSet<Int>, _ model: Set<Int>, _ seed: UInt64) {
    var positions = set
    for expected in model.sorted() {
      guard positions.first == expected else {
        Issue.record("seed \(seed): \(expected) should be first")
        return
      }
      let next = model.filter { $0 > expected }.min()
      guard positions.first(after: expected) == next else {
        Issue.record("seed \(seed): \(String(describing: next)) should follow \(expected)")
        return
      }
      positions.remove(expected)
    }
    #expect(positions.isEmpty)
    #expect(positions.first == nil)
  }

  @Test(
    "wherever the numbers are, and wherever they go, it does what a Set does",
    arguments: 0..<10
  )
  func moving(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var model: Set<Int> = []
    var positions = PositionSet<Int>()
    let spread = [1, 64, 1_000, 70_000][Int(seed % 4)]
    var middle = seed % 3 == 0 ? 0 : 5_000_000
    for step in 0..<3_000 {
      middle = max(0, middle + Int.random(in: -spread...2 * spread, using: &generator))
      let member = max(0, middle + Int.random(in: -spread...spread, using: &generator))
      if model.insert(member).inserted { positions.insert(member) }
      // Now and then it is emptied, from whichever side.
      while model.count > (step % 100 == 0 ? 0 : 20),
        let old = model.randomElement(using: &generator)
      {
        let leaving = step % 2 == 0 ? model.min() ?? old : old
        model.remove(leaving)
        positions.remove(leaving)
      }
      guard positions.first == model.min(), positions.count == model.count,
        positions.contains(member) == model.contains(member),
        positions.contains(member + 64) == model.contains(member + 64)
      else {
        Issue.record("seed \(seed): \(member) in step \(step)")
        return
      }
    }
    drain(positions, model, seed)
  }

  @Test("its memory is that of the range of its members, not of their numbers")
  func memory() {
    var positions = PositionSet<Int>()
    for start in stride(from: 0, to: 1 << 40, by: 1 << 36) {
      for member in start..<start + 1_000 { positions.insert(member) }
      for member in start..<start + 1_000 { positions.remove(member) }
    }
    positions.insert((1 << 40) + 3)
    #expect(positions.first == (1 << 40) + 3)
    #expect(positions.words.count <= 64)
  }

  @Test("growth across the levels of the tree loses nothing", arguments: [64, 4_096, 262_144])
  func boundaries(_ boundary: Int) {
    var positions = PositionSet<Int>()
    let members = [0, boundary - 1, boundary, boundary + 1, boundary * 64 - 1]
    for member in members { positions.insert(member) }
    for member in members {
      #expect(positions.first == member)
      #expect(positions.contains(member))
      #expect(!positions.contains(member + 3))
      positions.remove(member)
    }
    #expect(positions.isEmpty)
  }

  @Test("an empty set contains nothing, and an emptied one can be filled again")
  func emptied() {
    var positions = PositionSet<Int>()
    #expect(!positions.contains(0))
    for member in [3, 100_000, 5] { positions.insert(member) }
    positions.removeAll()
    #expect(positions.isEmpty)
    #expect(!positions.contains(100_000))
    positions.insert(70)
    #expect(positions.first == 70)
  }
}
