import PoolCore
import PoolEvents
import PoolJournal
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: what a journal has measured counts, then what the manifest expects, then the mean;
/// and what lies ahead of an operation goes through groups and barriers.
@Suite("Expected durations")
struct ExpectedDurationTests {
  private func batch(_ lines: [String]) throws -> Manifest {
    try Manifest(bytes(lines.joined(separator: "\n")))
  }

  /// The seconds of work ahead of each operation.
  private func ranks(
    _ batch: Manifest,
    _ durations: ExpectedDurations = ExpectedDurations(for: .criticalPath)
  ) -> [Double] {
    var durations = durations
    let ranks = durations.ranks(of: 0..<batch.count, of: batch) ?? []
    return ranks.map { Double($0) / 1e9 }
  }

  /// A journal in which some operations of a batch took so many seconds.
  private func history(_ batch: Manifest, _ seconds: [Int: Double]) throws -> ExpectedDurations {
    var keys = WorkloadKeys(.latest)
    keys.add(0..<batch.count, of: batch)
    var text = JournalBytes.withHeader
    for (operation, time) in seconds {
      let duration = EndRecord.Earlier(start: nil, duration: Int64(time * 1e9))
      let record = EndRecord(number: 0, ending: .failed, earlier: duration)
      text.append(.settled(JournalEnd(epoch: 1, key: keys[operation], id: [], record)))
    }
    return try ExpectedDurations(
      for: .criticalPath,
      history: JournalState(JournalScan(text.bytes).entries)
    )
  }

  private static let diamond = [
    #"{"id":"a","shell":"a","expected":1}"#,
    #"{"id":"b","shell":"b","expected":0.5,"after":["a"]}"#,
    #"{"id":"c","shell":"c","expected":4,"after":["a"]}"#,
    #"{"id":"d","shell":"d","expected":2,"after":["b","c"]}"#,
  ]

  @Test("Expectations of a manifest are summed up along the heaviest chain")
  func expected() throws {
    let batch = try batch(Self.diamond)
    #expect(ranks(batch) == [7, 2.5, 6, 2])
    #expect(batch.expected(of: 1) == 500_000_000)
  }

  @Test("What was measured counts more than what was expected")
  func measured() throws {
    let batch = try batch(Self.diamond)
    #expect(ranks(batch, try history(batch, [1: 9, 3: 1])) == [11, 10, 5, 1])
  }

  @Test("An operation that has changed since is not the one that was measured")
  func changed() throws {
    let history = try history(try batch(Self.diamond), [1: 9, 3: 1])
    var lines = Self.diamond
    lines[1] = #"{"id":"b","shell":"b2","expected":0.5,"after":["a"]}"#
    #expect(ranks(try batch(lines), history) == [7, 2.5, 6, 2])
  }

  @Test("Of which nothing is known counts as the mean of what is known, or all as one")
  func unknown() throws {
    let lines = [
      #"{"id":"a","shell":"a","expected":1}"#, #"{"id":"b","shell":"b","expected":3}"#,
      #"{"id":"c","shell":"c"}"#, #"{"id":"d","shell":"d","after":["c"]}"#,
    ]
    #expect(ranks(try batch(lines)) == [1, 3, 4, 2])
    let without = try batch(Array(lines.suffix(2)))
    var durations = ExpectedDurations(for: .criticalPath)
    #expect(durations.ranks(of: 0..<2, of: without) == [2, 1])
  }

  @Test("The way goes through groups and barriers, which take no time")
  func joins() throws {
    let groups = try batch([
      #"{"id":"a","shell":"a","expected":1,"group":"g"}"#,
      #"{"id":"b","shell":"b","expected":2,"group":"g"}"#,
      #"{"id":"c","shell":"c","expected":3,"after":["g"]}"#,
    ])
    #expect(ranks(groups) == [4, 5, 3])
    let barriers = try batch([
      #"{"id":"a","shell":"a","expected":1}"#,
      #"{"id":"b","shell":"b","expected":2,"barrier":true}"#,
      #"{"id":"c","shell":"c","expected":3}"#,
    ])
    #expect(ranks(barriers) == [6, 5, 3])
  }

  @Test("A plan shows each level by what lies ahead, within a priority")
  func plan() throws {
    let batch = try batch([
      #"{"id":"a","shell":"a","expected":1}"#,
      #"{"id":"b","shell":"b","expected":2}"#,
      #"{"id":"c","shell":"c","priority":"high","expected":0.1}"#,
      #"{"id":"d","shell":"d","expected":5,"after":["a"]}"#,
    ])
    var durations = ExpectedDurations(for: .criticalPath)
    let plan = DryRunPlan(batch, by: durations.ranks(of: 0..<4, of: batch))
    #expect((0..<4).map { plan.operation(at: $0) } == [2, 0, 1, 3])
    let independent = DryRunPlan(independent: 3, by: [1, 3, 3])
    #expect((0..<3).map { independent.operation(at: $0) } == [1, 2, 0])
  }

  /// The graph of every manifest that is accepted, with random extras, against the definition.
  @Test("Random manifests have the ranks that trying every chain gives")
  func randomManifests() throws {
    for seed in RandomSeeds.first(60) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...8, using: &random)
      var after = [[Int]](repeating: [], count: count)
      var lines: [String] = []
      var seconds: [Int64] = []
      for index in 0..<count {
        after[index] = (0..<index).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        seconds.append(Int64.random(in: 1...9, using: &random))
        lines.append(
          #"{"id":"n\#(index)","shell":"x","expected":\#(seconds[index]),"after":["#
            + after[index].map { "\"n\($0)\"" }.joined(separator: ",") + "]}"
        )
      }
      var longest = seconds
      for index in (0..<count).reversed() {
        let behind = (0..<count).filter { after[$0].contains(index) }.map { longest[$0] }
        longest[index] += behind.max() ?? 0
      }
      #expect(ranks(try batch(lines)) == longest.map { Double($0) }, "OPOOL_SEED=\(seed)")
    }
  }
}
