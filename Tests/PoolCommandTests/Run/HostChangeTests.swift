import PoolModel
import Testing

@testable import PoolCommand

/// Contract: what a run does when the file of its hosts has changed.
@Suite("Changed files of hosts")
struct HostChangeTests {
  private func hosts(_ lines: String...) throws -> [WorkerRequest] {
    try lines.map { line in
      try #require(WorkerRequest(host: Array(line.utf8)[...], isFromFile: true))
    }
  }

  private func changes(
    _ roster: WorkerRoster,
    _ wanted: [WorkerRequest]
  ) -> [HostChange] {
    HostChange.changes(from: roster.entries, to: wanted)
  }

  @Test("what is the same is left alone")
  func same() throws {
    let wanted = try hosts("2/a", "b", ":")
    #expect(changes(WorkerRoster(wanted, hasOwn: true), wanted) == [])
  }

  @Test("new hosts are added before those that are gone end, so that there are always some")
  func exchanged() throws {
    let roster = WorkerRoster(try hosts("2/a"))
    let (new, old) = (try hosts("b")[0], try hosts("2/a")[0])
    #expect(changes(roster, [new]) == [.add(new), .withdraw(0, old)])
  }

  @Test("hosts and workers of other options are not the file's")
  func others() throws {
    let option = try #require(WorkerRequest(host: Array("a".utf8)[...]))
    let command = WorkerRequest(count: 1, command: Array("w".utf8))
    let roster = WorkerRoster([option, command] + (try hosts("b")), hasOwn: true)
    let wanted = try hosts("a")
    #expect(changes(roster, wanted) == [.add(wanted[0]), .withdraw(2, try hosts("b")[0])])
  }

  @Test("another number of slots is another limit of the same workers")
  func resized() throws {
    let roster = WorkerRoster(try hosts("4/a"))
    let (fewer, more) = (try hosts("1/a"), try hosts("6/a"))
    #expect(changes(roster, fewer) == [.limit(0, fewer[0])])
    roster.note(fewer[0], isWithdrawn: false, of: 0)
    #expect(changes(roster, fewer) == [])
    #expect(changes(roster, more) == [.limit(0, more[0])])
    roster.note(more[0], isWithdrawn: false, of: 0)
    #expect(changes(roster, more) == [])
  }

  @Test("a host that comes back has its workers again")
  func back() throws {
    let roster = WorkerRoster(try hosts("2/a", "b"))
    let all = try hosts("2/a", "b")
    roster.note(all[0], isWithdrawn: true, of: 0)
    #expect(changes(roster, [all[1]]) == [])
    #expect(changes(roster, all) == [.limit(0, all[0])])
  }

  @Test(
    "with a number in place of as many as the machine says, or other features, it is another one",
    arguments: [("a", "2/a"), ("2/a", "a"), ("a", "@gpu/a"), ("@gpu/a", "@ssd/a")]
  )
  func replaced(_ before: String, _ now: String) throws {
    let roster = WorkerRoster(try hosts(before))
    let (old, new) = (try hosts(before)[0], try hosts(now)[0])
    #expect(changes(roster, [new]) == [.add(new), .withdraw(0, old)])
  }
}
