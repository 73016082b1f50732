import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: what lines say of exclusion, limits, slots, barriers, groups and inputs is kept for
/// exactly those lines.
@Suite("Fields that few lines have")
struct ManifestExtrasTests {
  private func manifest(_ lines: String...) throws -> Manifest {
    try Manifest(bytes(lines.joined(separator: "\n")))
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func claims(_ manifest: Manifest, _ operation: Int) -> [String] {
    manifest.claims(of: operation).map { index in
      let resource = manifest.resource(index)
      return "\(resource.name.source) \(text(resource.name.text)) \(resource.units)"
    }
  }

  private func inputs(_ manifest: Manifest, _ operation: Int) -> [String] {
    var inputs: [String] = []
    manifest.forEachInput(of: operation) { name, source in
      inputs.append("\(text(name)) \(source)")
    }
    return inputs
  }

  @Test("A line that has none of them is like any other")
  func defaults() throws {
    let manifest = try manifest(
      #"{"run":["a"],"exclusive":[],"limit":{},"slots":1,"barrier":false,"inputs":{}}"#,
      #"{"run":["b"],"slots":2}"#,
      #"{"run":["c"]}"#
    )
    for operation in [0, 2] {
      #expect(claims(manifest, operation).isEmpty)
      #expect(manifest.slots(of: operation) == 1)
      #expect(!manifest.isBarrier(operation))
      #expect(manifest.group(of: operation) == nil)
      #expect(inputs(manifest, operation).isEmpty)
    }
    #expect(manifest.resourceCount == 0)
    #expect(manifest.groupCount == 0)
    #expect(manifest.barrierCount == 0)
    #expect(manifest.extras.slots.operations == [1])
    #expect(manifest.extras.inputs.operations.isEmpty)
  }

  @Test("Categories and limits of one name are two resources, named on many lines")
  func resources() throws {
    let manifest = try manifest(
      #"{"run":["a"],"exclusive":"db"}"#,
      #"{"run":["b"],"limit":{"net":2,"db":3},"exclusive":["d\u0062","ü"]}"#,
      #"{"run":["c"]}"#,
      #"{"run":["d"],"limit":{"db":3}}"#
    )
    #expect(claims(manifest, 0) == ["exclusive db 1"])
    #expect(
      claims(manifest, 1) == ["limit net 2", "limit db 3", "exclusive db 1", "exclusive ü 1"]
    )
    #expect(claims(manifest, 2).isEmpty)
    #expect(claims(manifest, 3) == ["limit db 3"])
    #expect(manifest.claims(of: 3) == [2])
    #expect(manifest.resourceCount == 4)
  }

  @Test("Names are told apart by their bytes, not by how they look")
  func spelling() throws {
    let manifest = try manifest(
      #"{"run":["a"],"exclusive":["\u00e9","e\u0301"],"group":"\u00e9"}"#,
      #"{"run":["b"],"group":"e\u0301"}"#
    )
    #expect(manifest.resourceCount == 2)
    #expect(manifest.groupCount == 2)
  }

  @Test("A line's own teardown sequence is what --term-seq would make of it, and others have none")
  func teardowns() throws {
    let manifest = try manifest(
      #"{"run":["a"],"termSeq":"TERM,500,KILL"}"#,
      #"{"run":["b"]}"#,
      #"{"run":["c"],"termSeq":"\u004BILL"}"#,
      #"{"run":["d"],"termSeq":"term,500,9"}"#
    )
    let polite = try TeardownSyntax.parse("TERM,500,KILL")
    #expect((0..<4).map(manifest.teardown(of:)) == [polite, nil, .immediate, polite])
    #expect(manifest.extras.teardowns.count == 2)
  }

  @Test("Slots are a whole number; the largest that is kept stands for all larger ones")
  func slots() throws {
    let manifest = try manifest(
      #"{"run":["a"],"slots":7}"#,
      #"{"run":["b"],"slots":99999999999999999999}"#
    )
    #expect(manifest.slots(of: 0) == 7)
    #expect(manifest.slots(of: 1) == Int(Int32.max))
  }

  @Test("Barriers and groups are counted, and groups numbered behind the operations")
  func barriersAndGroups() throws {
    let manifest = try manifest(
      #"{"run":["b"],"group":"build","barrier":true}"#,
      #"{"run":["c"],"group":"test"}"#,
      #"{"run":["d"],"group":"build","barrier":true}"#,
      #"{"run":["a"],"after":["build",{"id":"test","when":"finished"}]}"#
    )
    #expect(manifest.groupCount == 2)
    #expect((0..<4).map(manifest.group(of:)) == [0, 1, 0, nil])
    #expect((0..<2).map { text(manifest.groupName($0)) } == ["build", "test"])
    #expect((0..<4).map(manifest.isBarrier(_:)) == [true, false, true, false])
    #expect(manifest.barrierCount == 2)
    #expect(
      manifest.dependencies(of: 3).map { "\($0.target) \($0.requirement)" }
        == ["4 succeeded", "5 finished"]
    )
  }

  @Test("An input is a dependency that must succeed; one that is named in 'after', too, is one")
  func inputs() throws {
    let manifest = try manifest(
      #"{"id":"a","run":["a"]}"#,
      #"{"run":["b"],"inputs":{"x":"a","\u0079_2":"c","Z":"a"},"after":["c","a"]}"#,
      #"{"id":"c","run":["c"]}"#,
      #"{"kind":"k","after":["c"],"inputs":{"x":"2"},"payload":1}"#
    )
    #expect(inputs(manifest, 1) == ["x 0", "y_2 2", "Z 0"])
    #expect(
      manifest.dependencies(of: 1).map { "\($0.target) \($0.requirement)" }
        == ["0 succeeded", "2 succeeded"]
    )
    #expect(inputs(manifest, 3) == ["x 1"])
    #expect(manifest.dependencies(of: 3).map(\.target) == [2, 1])
    #expect(inputs(manifest, 0).isEmpty)
    #expect(text(manifest.payload(of: 3)) == "1")
    #expect(text(manifest.payload(of: 1)) == #"{"run":["b"]}"#)
  }

  @Test("A hundred thousand categories on one line, and ten thousand members, are read")
  func hostileSizes() throws {
    let names = (0..<100_000).map { "\"c\($0)\"" }.joined(separator: ",")
    let members = (0..<10_000).map { number in
      "{\"id\":\"m\(number)\",\"run\":[\"a\"],\"group\":\"g\"}"
    }
    let manifest = try Manifest(
      bytes(
        ("{\"run\":[\"a\"],\"exclusive\":[\(names)],\"after\":[\"g\"]}\n"
          + members.joined(separator: "\n"))
      )
    )
    #expect(manifest.claims(of: 0) == Array(0..<100_000))
    #expect(text(manifest.resource(99_999).name.text) == "c99999")
    #expect(manifest.level(of: 0) == 1)
    #expect((1...10_000).allSatisfy { manifest.group(of: $0) == 0 })
    let batch = manifest
    #expect(
      batch.details(of: 0) == "exclusive c0, c1, c2, c3, c4, c5, c6, c7 and 99992 more"
    )
  }
}

/// Contract: a list belongs to the operation it was ended for, and an abandoned one to none.
@Suite("Sparse rows")
struct SparseRowsTests {
  @Test("Each operation finds its own list, and others find none")
  func lookup() {
    var rows = SparseRows<UInt32>()
    for operation in 0..<100 where operation % 7 == 3 {
      for element in 0..<(operation % 4) { rows.append(UInt32(operation * 10 + element)) }
      rows.endRow(of: operation)
      rows.append(1)
      rows.abandonRow()
    }
    for operation in 0..<120 {
      let count = operation % 7 == 3 && operation < 100 ? operation % 4 : 0
      #expect(Array(rows[operation]) == (0..<count).map { UInt32(operation * 10 + $0) })
    }
    #expect(rows.rows.map(\.operation) == rows.operations.map { Int($0) })
    #expect(!rows.operations.contains(52), "an empty list is not kept")
  }
}
