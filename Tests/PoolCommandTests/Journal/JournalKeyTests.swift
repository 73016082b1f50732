import PoolCore
import PoolJournal
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: after a manifest was edited, exactly what was changed has another key, and what
/// depends on it.
@Suite("Keys of a manifest's operations")
struct JournalKeyTests {
  private func keys(
    _ lines: [String],
    _ version: KeyVersion = .latest
  ) throws -> [ContentDigest] {
    let manifest = try Manifest(bytes(lines.joined(separator: "\n") + "\n"))
    let batch = manifest
    var keys = WorkloadKeys(version)
    keys.add(0..<batch.count, of: batch)
    return (0..<batch.count).map { keys[$0] }
  }

  /// Which lines have another key than before.
  private func changes(
    _ before: [String],
    _ after: [String],
    _ version: KeyVersion = .latest
  ) throws -> [Int] {
    let (old, new) = (try keys(before, version), try keys(after, version))
    return new.indices.filter { old[$0] != new[$0] }
  }

  private static let chain = [
    #"{"id":"a","run":["x","y"]}"#,
    #"{"id":"b","shell":"x","after":["a"]}"#,
    #"{"id":"c","shell":"y","inputs":{"i":"b"},"group":"g"}"#,
    #"{"id":"d","shell":"z","after":["g"]}"#,
    #"{"id":"e","kind":"command","payload":{"shell":"w"}}"#,
  ]

  @Test(
    "What does not change an operation changes no key",
    arguments: [
      (0, #"{"id":"a","run":["x","y"],"priority":"high","timeout":3,"name":"n","retries":2}"#),
      (0, #"{ "run" : [ "\u0078", {"base64":"eQ=="} ], "id":"a", "qos":"utility", "slots":2}"#),
      (0, #"{"id":"a","run":["x","y"],"exclusive":"disk","limit":{"net":2},"barrier":true}"#),
      (0, #"{"id":"a","run":["x","y"],"termSeq":"KILL","expected":2.5,"nice":5}"#),
      (0, #"{"id":"a","run":["x","y"],"retryDelay":2,"retryOn":"exit"}"#),
      (1, ##"{"id":"b","shell":"x","after":[{"id":"a","when":"succeeded"}],"group":"h"}"##),
      (4, ##"{"id":"e","shell":"w","env":{},"stdin":""}"##),
    ]
  )
  func same(_ line: Int, _ text: String) throws {
    var lines = Self.chain
    lines[line] = text
    #expect(try changes(Self.chain, lines) == [])
  }

  @Test(
    "What changes an operation changes its key and those of all that depend on it",
    arguments: [
      (0, #"{"id":"a","run":["x","y",""]}"#, [0, 1, 2, 3]),
      (0, #"{"id":"a","run":["x","y"],"cwd":"/"}"#, [0, 1, 2, 3]),
      (0, #"{"id":"a","run":["x","y"],"stdin":"1"}"#, [0, 1, 2, 3]),
      (1, #"{"id":"b","shell":"x","after":["a"],"env":{"A":"1"}}"#, [1, 2, 3]),
      (1, #"{"id":"b","shell":"x","after":[{"id":"a","when":"finished"}]}"#, [1, 2, 3]),
      (1, #"{"id":"b","shell":"x"}"#, [1, 2, 3]),
      (2, #"{"id":"c","shell":"y","inputs":{"j":"b"},"group":"g"}"#, [2, 3]),
      (2, #"{"id":"c","shell":"y","after":["b"],"group":"g"}"#, [2, 3]),
      (4, #"{"id":"e","shell":"x","group":"g"}"#, [3, 4]),
      (4, #"{"id":"e","kind":"render","payload":{"shell":"w"}}"#, [4]),
      (4, #"{"id":"other","shell":"w"}"#, [4]), (4, #"{"shell":"w"}"#, [4]),
    ]
  )
  func changed(_ line: Int, _ text: String, _ expected: [Int]) throws {
    var lines = Self.chain
    lines[line] = text
    #expect(try changes(Self.chain, lines) == expected)
  }

  @Test("Lines may be moved, and others may come and go")
  func moved() throws {
    let old = try keys(Self.chain)
    let reversed = try keys(["# a comment", ""] + Self.chain.reversed())
    #expect(reversed == old.reversed())
    let more = try keys([#"{"id":"new","shell":"v"}"#] + Self.chain)
    #expect(Array(more.dropFirst()) == old)
    #expect(try keys(Array(Self.chain[..<2])) == Array(old[..<2]))
  }

  @Test("Identical operations with identifiers are told apart by these, wherever they stand")
  func identified() throws {
    let lines = ["a", "b", "c"].map { #"{"id":"\#($0)","shell":"echo $OPOOL_ID"}"# }
    let old = try keys(lines)
    #expect(try keys(lines.reversed()) == old.reversed())
    let more = try keys([#"{"id":"new","shell":"echo $OPOOL_ID"}"#] + lines)
    #expect(Array(more.dropFirst()) == old)
    #expect(Set(more).count == 4)
  }

  @Test("In journals of earlier versions, identifiers make no keys")
  func earlier() throws {
    let renamed = Self.chain.map { $0.replacing(#""id":"e""#, with: #""id":"other""#) }
    #expect(try changes(Self.chain, renamed, .content) == [])
    let unnamed = Self.chain.map { $0.replacing(#""id":"e","#, with: "") }
    #expect(try changes(Self.chain, unnamed, .content) == [])
  }

  @Test("Of identical operations, as many keep their keys as are left")
  func identical() throws {
    let line = #"{"shell":"x"}"#
    let old = try keys([line, line, line])
    for place in 0..<3 {
      var lines = [line, line, line]
      lines[place] = #"{"shell":"y"}"#
      let new = try keys(lines)
      #expect(Set(new).subtracting(old) == [new[place]])
    }
  }

  /// A random graph, one command changed; what must have changed is found by another way.
  @Test("In any graph, exactly a changed operation and its dependents have other keys")
  func graphs() throws {
    for _ in 0..<100 {
      let seed = UInt64.random(in: 0...UInt64.max)
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...30, using: &generator)
      let after = (0..<count).map { operation in
        (0..<operation).filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }
      }
      let victim = Int.random(in: 0..<count, using: &generator)
      var reached: Set<Int> = [victim]
      for operation in victim..<count where after[operation].contains(where: reached.contains) {
        reached.insert(operation)
      }
      let before = lines(after, changed: nil)
      let found = try changes(before, lines(after, changed: victim))
      #expect(found == reached.sorted(), "seed \(seed)")
      #expect(Set(try keys(before)).count == count, "seed \(seed)")
    }
  }

  private func lines(_ after: [[Int]], changed: Int?) -> [String] {
    after.indices.map { operation in
      let names = after[operation].map { "\"\($0)\"" }.joined(separator: ",")
      let command = operation == changed ? "changed" : "same \(operation)"
      return #"{"id":"\#(operation)","shell":"\#(command)","after":[\#(names)]}"#
    }
  }
}
