import PoolCore
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: barriers, groups and inputs order the operations of a manifest as dependencies do,
/// at the cost of an edge or two for each operation.
@Suite("The graph of a manifest")
struct ManifestGraphTests {
  private func errors(_ lines: String...) -> [String] {
    do {
      _ = try Manifest(bytes(lines.joined(separator: "\n")))
      return []
    } catch {
      return error.lines(file: bytes("m"))
    }
  }

  private func levels(_ lines: String...) throws -> [Int] {
    let manifest = try Manifest(bytes(lines.joined(separator: "\n")))
    return (0..<manifest.count).map(manifest.level(of:))
  }

  // MARK: Levels

  @Test("A barrier is one level, between all lines before it and all lines after it")
  func barrier() throws {
    #expect(
      try levels(
        #"{"id":"a","run":["a"],"after":["b"]}"#,
        #"{"id":"b","run":["b"]}"#,
        #"{"run":["c"],"barrier":true}"#,
        #"{"run":["d"]}"#,
        #"{"run":["e"]}"#
      ) == [1, 0, 2, 3, 3]
    )
  }

  @Test("Barriers that follow each other, or come first, are a chain")
  func barriers() throws {
    #expect(
      try levels(
        #"{"run":["a"],"barrier":true}"#,
        #"{"run":["b"],"barrier":true}"#,
        #"{"run":["c"]}"#,
        #"{"run":["d"],"barrier":true}"#
      ) == [0, 1, 2, 3]
    )
  }

  @Test("A dependent of a group waits for its last member, and a group is no level")
  func group() throws {
    #expect(
      try levels(
        #"{"run":["a"],"after":["g"]}"#,
        #"{"run":["b"],"group":"g"}"#,
        #"{"id":"c","run":["c"],"group":"g","after":["h"]}"#,
        #"{"run":["d"],"group":"h"}"#
      ) == [2, 0, 1, 0]
    )
  }

  @Test("An input is waited for")
  func input() throws {
    #expect(
      try levels(#"{"run":["a"],"inputs":{"x":"b"}}"#, #"{"id":"b","run":["b"]}"#) == [1, 0]
    )
  }

  @Test("A group whose members are on both sides of a barrier ends with the last of them")
  func groupAcrossBarrier() throws {
    #expect(
      try levels(
        #"{"run":["a"],"group":"g"}"#,
        #"{"run":["b"],"barrier":true,"group":"g"}"#,
        #"{"run":["c"],"group":"g"}"#,
        #"{"run":["d"],"after":["g"]}"#
      ) == [0, 1, 2, 3]
    )
  }

  @Test("Random manifests have the levels of all pairs of operations that barriers keep apart")
  func randomManifests() throws {
    for seed in UInt64(1)...1_000 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...12, using: &random)
      let barriers = (0..<count).map { _ in Int.random(in: 0...3, using: &random) == 0 }
      let groups = (0..<count).map { _ in Int.random(in: 0...5, using: &random) }
      var expected: [Int] = []
      var lines: [String] = []
      for operation in 0..<count {
        // Waits for groups whose last member came before, and so for no cycle.
        let ended = Set(groups[..<operation]).subtracting(groups[operation...]).sorted()
        let after = ended.filter { _ in Bool.random(using: &random) }
        let waited = (0..<operation).filter { other in
          barriers[operation] || barriers[other]
            || barriers[other..<operation].contains(true) || after.contains(groups[other])
        }
        expected.append(waited.map { expected[$0] + 1 }.max() ?? 0)
        let names = after.map { "\"g\($0)\"" }.joined(separator: ",")
        lines.append(
          "{\"run\":[\"a\"],\"barrier\":\(barriers[operation]),\"group\":\"g\(groups[operation])\","
            + "\"after\":[\(names)]}"
        )
      }
      let manifest = try Manifest(bytes(lines.joined(separator: "\n")))
      #expect((0..<count).map(manifest.level(of:)) == expected, "seed \(seed)")
    }
  }

  @Test("A thousand operations between two barriers cost edges by the operation, not by the pair")
  func cost() throws {
    let layer = Array(repeating: #"{"run":["a"]}"#, count: 1_000)
    let barrier = [#"{"run":["b"],"barrier":true}"#]
    let lines = layer + barrier + layer + barrier + layer
    let manifest = try Manifest(bytes(lines.joined(separator: "\n")))
    #expect(manifest.order.levelCount == 5)
    let graph = ManifestGraph(manifest.dependencies, manifest.extras)
    #expect(graph.rows.count == 3_004)
    // Of each operation, one to the barrier before and one from the join after; of each barrier,
    // one to its join; and one from the second join to the first barrier.
    #expect(graph.rows.targets.count == 4_000 + 2 + 1)
  }

  // MARK: Cycles

  @Test("A cycle through a barrier names the barrier")
  func barrierCycle() {
    #expect(
      errors(
        #"{"id":"a","run":["a"],"after":["c"]}"#,
        #"{"id":"b","run":["b"],"barrier":true}"#,
        #"{"id":"c","run":["c"]}"#
      ) == ["m:1: after: these operations wait for each other: a → c → b (barrier) → a"]
    )
    #expect(
      errors(
        #"{"id":"b","run":["b"],"barrier":true,"inputs":{"x":"c"}}"#,
        #"{"id":"c","run":["c"]}"#
      ) == ["m:1: inputs: these operations wait for each other: b (barrier) → c → b (barrier)"]
    )
  }

  @Test("A cycle through several barriers names them all")
  func severalBarriers() {
    #expect(
      errors(
        #"{"id":"a","run":["a"],"after":["d"]}"#,
        #"{"id":"b","run":["b"],"barrier":true}"#,
        #"{"id":"c","run":["c"],"barrier":true}"#,
        #"{"id":"d","run":["d"]}"#
      ) == [
        "m:1: after: these operations wait for each other: a → d → c (barrier) → b (barrier) → a"
      ]
    )
  }

  @Test("A cycle through a group names the group")
  func groupCycle() {
    #expect(
      errors(#"{"id":"a","run":["a"],"group":"g","after":["g"]}"#) == [
        "m:1: after: 'a' waits for itself: a → g (group) → a"
      ]
    )
    #expect(
      errors(
        #"{"id":"a","run":["a"],"after":["g"]}"#,
        #"{"id":"b","run":["b"],"group":"g","after":["a"]}"#
      ) == ["m:1: after: these operations wait for each other: a → g (group) → b → a"]
    )
  }

  @Test("A cycle through a group and a barrier names both")
  func mixedCycle() {
    #expect(
      errors(
        #"{"id":"a","run":["a"],"after":["g"]}"#,
        #"{"id":"b","run":["b"],"barrier":true}"#,
        #"{"id":"c","run":["c"],"group":"g"}"#
      ) == [
        "m:1: after: these operations wait for each other: a → g (group) → c → b (barrier) → a"
      ]
    )
  }

  @Test("A cycle of inputs names the field")
  func inputCycle() {
    #expect(
      errors(
        #"{"id":"a","run":["a"],"inputs":{"x":"b"}}"#,
        #"{"id":"b","run":["b"],"after":["a"]}"#
      ) == ["m:1: inputs: these operations wait for each other: a → b → a"]
    )
    #expect(
      errors(#"{"id":"a","run":["a"],"inputs":{"x":"a"}}"#) == [
        "m:1: inputs: 'a' waits for itself: a → a"
      ]
    )
  }
}
