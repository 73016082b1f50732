import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// Contract: a worker begins no prefetched command after its coordinator's end, which it learns
/// from its guardian, before its pipes are closed.
@Suite("A killed coordinator", .enabled(if: Subreaper() != nil, "needs a guardian"))
struct KilledCoordinatorTests {
  /// The coordinator, in place of which a shell is killed; the test holds the pipes open.
  private static let parent = [
    "/bin/sh", "-c", "exec 3<&0; \"$@\" <&3 3<&- & exec 3<&-; wait", "sh",
  ]

  /// Says `ready`, and ends when the guardian has seen the end of its parent: it sleeps, and no
  /// signal waits for it.
  private static func waitForGuardian(_ pipe: String) -> String {
    """
    parent() { read -r line < /proc/$1/stat; set -- ${line##*) }; echo $2; }
    guardian=$(parent $PPID); coordinator=$(parent $guardian); echo ready > \(pipe)
    while [ $(parent $guardian) = $coordinator ]; do :; done
    until grep -q '^State:.S' /proc/$guardian/status &&
      grep -q '^ShdPnd:.0*$' /proc/$guardian/status; do :; done
    """
  }

  @Test("A worker whose guardian has seen the coordinator's end begins no further command")
  func prefetched() throws {
    let place = try Rendezvous()
    let trace = place.folder.appending(path: "trace").path
    let worker = try WorkerHarness(behind: Self.parent)
    let first = worker.shell("\(Self.waitForGuardian(place.path)); echo first >> \(trace)")
    let second = worker.shell("echo second >> \(trace)")
    worker.send(.execute(first), .execute(second))
    #expect(try place.reader().readToEnd() == Data("ready\n".utf8))
    worker.process.send(.kill)
    while try worker.next() != nil {}
    #expect(try String(contentsOfFile: trace, encoding: .utf8) == "first\n")
  }
}
