import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: what a journal knows is not executed again, except where its output is needed.
@Suite("What a resumed run executes")
struct ResumePlanTests {
  private static let lines = """
    {"id":"a","shell":"1"}
    {"id":"b","shell":"2","inputs":{"x":"a"}}
    {"id":"c","shell":"3","inputs":{"x":"b"}}
    {"id":"d","shell":"4","after":["a"]}
    {"id":"e","shell":"5","after":["d"],"inputs":{"x":"b"}}
    {"id":"f","shell":"6","after":[{"id":"d","when":"failed"}]}

    """

  /// The names of the operations that keep their outcomes.
  private func resumed(_ known: [String: PoolEnding]) throws -> String {
    let batch = try Manifest(bytes(Self.lines))
    let names = (0..<batch.count).map { String(decoding: batch.id(of: $0), as: UTF8.self) }
    var plan = ResumePlan()
    plan.add(0..<batch.count, of: batch) { known[names[$0]] }
    return (0..<batch.count).filter { plan.isResumed($0) }.map { names[$0] }.joined()
  }

  @Test("What is named is executed again, and all that depends on it, also through a group")
  func named() throws {
    let lines = """
      {"id":"z","shell":"9","after":["g"]}
      {"id":"a","shell":"1"}
      {"id":"b","shell":"2","after":["a"],"group":"g"}
      {"id":"c","shell":"3","group":"h"}
      {"id":"d","shell":"4","after":["h"]}
      {"id":"e","shell":"5","inputs":{"x":"z"}}

      """
    let batch = try Manifest(bytes(lines))
    let names = (0..<batch.count).map { String(decoding: batch.id(of: $0), as: UTF8.self) }
    for (named, again) in [
      ("a", "zabe"), ("b", "zbe"), ("c", "cd"), ("d", "d"), ("e", "ze"), ("xc", "cd"), ("", ""),
    ] {
      var plan = ResumePlan()
      let identifiers = Set(named.map { bytes(String($0)) })
      plan.add(0..<batch.count, of: batch, again: identifiers) { _ in .succeeded }
      let executed = (0..<batch.count).filter { !plan.isResumed($0) }.map { names[$0] }.joined()
      #expect(executed == again, "\(named)")
      #expect(plan.found == identifiers.subtracting([bytes("x")]))
    }
  }

  @Test("What waits for a group is skipped by the outcomes of its members")
  func groups() throws {
    let lines = """
      {"id":"a","shell":"1","group":"g"}
      {"id":"b","shell":"2","group":"g"}
      {"id":"c","shell":"3","after":["g"]}
      {"id":"d","shell":"4","after":[{"id":"g","when":"failed"}]}

      """
    let manifest = try Manifest(bytes(lines))
    for (known, executed) in [
      ([.succeeded, .succeeded], [2]), ([.succeeded, .timedOut], [3]),
      ([.skipped, .cancelled], []),
      ([.failed, nil], [1, 2, 3]),
    ] as [([PoolEnding?], [Int])] {
      var plan = ResumePlan()
      plan.add(0..<4, of: manifest) { $0 < 2 ? known[$0] : nil }
      #expect((0..<4).filter { plan.isExecuted($0) } == executed, "\(known)")
    }
  }

  @Test("What did not succeed is executed again where that is wanted, and all that depends on it")
  func failed() throws {
    let lines = """
      {"id":"a","shell":"1"}
      {"id":"b","shell":"2","after":[{"id":"a","when":"failed"}]}
      {"id":"c","shell":"3","after":[{"id":"b","when":"finished"}]}
      {"id":"d","shell":"4"}

      """
    let batch = try Manifest(bytes(lines))
    let names = (0..<batch.count).map { String(decoding: batch.id(of: $0), as: UTF8.self) }
    let known: [String: PoolEnding] = [
      "a": .failed, "b": .succeeded, "c": .succeeded, "d": .succeeded,
    ]
    for (isWanted, resumed, demanded) in [(false, "abcd", ""), (true, "d", "abc")] {
      var plan = ResumePlan()
      plan.add(0..<batch.count, of: batch, failed: isWanted) { known[names[$0]] }
      let list = (0..<batch.count)
      #expect(list.filter { plan.isResumed($0) }.map { names[$0] }.joined() == resumed)
      #expect(list.filter { plan.isDemanded($0) }.map { names[$0] }.joined() == demanded)
    }
  }

  @Test("What has its outcome keeps it")
  func known() throws {
    #expect(try resumed([:]) == "")
    #expect(try resumed(["a": .succeeded, "d": .succeeded]) == "d", "b needs the output of a")
    let all: [String: PoolEnding] = [
      "a": .succeeded, "b": .succeeded, "c": .succeeded, "d": .succeeded, "e": .failed,
    ]
    #expect(try resumed(all) == "abcde")
  }

  @Test("An operation whose output is needed is executed again, with all that it needs")
  func inputs() throws {
    #expect(try resumed(["a": .succeeded, "b": .succeeded, "d": .succeeded]) == "d")
    let withoutC: [String: PoolEnding] = [
      "a": .succeeded, "b": .succeeded, "d": .succeeded, "e": .succeeded,
    ]
    #expect(try resumed(withoutC) == "de")
  }

  @Test("Nothing is executed again for an operation that is skipped anyway")
  func skipped() throws {
    let known: [String: PoolEnding] = [
      "a": .succeeded, "b": .succeeded, "c": .succeeded, "d": .failed, "f": .succeeded,
    ]
    #expect(try resumed(known) == "abcdf")
  }
}
