import Foundation
import PoolTestSupport
import Testing

/// Contract: what has the most work ahead executes first where that is asked for, and what was
/// submitted first otherwise.
@Suite("The order of dispatch")
struct OrderTests {
  /// `d` waits for `b`, and is what takes longest.
  private static let expecting = """
    {"id": "a", "shell": "echo a", "expected": 1}
    {"id": "b", "shell": "echo b", "expected": 0.5}
    {"id": "c", "shell": "echo c", "expected": 3}
    {"id": "d", "shell": "echo d", "expected": 9, "after": ["b"]}
    {"id": "e", "shell": "echo e", "expected": 0.1, "priority": "high"}

    """

  @Test("By what a manifest expects, within a priority")
  func expected() throws {
    try Opool("run", "-j1", "-q").stdin(Self.expecting).run().expect("e\na\nb\nc\nd\n")
    try Opool("run", "-j1", "-q", "--order", "critical-path").stdin(Self.expecting).run()
      .expect("e\nb\nd\nc\na\n")
    let plan = try Opool("run", "-n", "--order", "critical-path").stdin(Self.expecting).run()
    let ids = plan.expect().stdout.split(separator: "\n").dropLast()
      .map { $0.split(separator: "\t")[1] }
    #expect(ids == ["e", "b", "c", "a", "d"])
  }

  /// The last one works for a while; but whatever was measured, the order follows from it.
  @Test("By what a journal has measured, of maps too")
  func history() throws {
    let run = try Opool.shell(
      """
      line='[ {} != 3 ] || head -c 50000000 /dev/zero > /dev/null; echo {}'
      opool map -q --journal old "$line" ::: 1 2 3 > first
      opool journal export old > durations
      opool map -q -j1 --order critical-path --history old --journal new "$line" ::: 1 2 3
      opool map --order critical-path --history old --dry-run "$line" ::: 1 2 3 | cut -f 2
      opool map -q --order critical-path --history none "$line" ::: 1; echo $?
      """
    )
    .run()
    let measured = run.folder.text(of: "durations")
      .matches(of: /"id":"(\d)".*"duration":(\d+)/)
      .compactMap { match in Int(match.2).map { (id: String(match.1), time: $0) } }
      .sorted { ($1.time, $0.id) < ($0.time, $1.id) }
      .map(\.id)
    #expect(measured.count == 3)
    let verdict = "opool: 3 operations, 0 dependencies, 1 level, widest 3"
    let expected = measured + measured + [verdict, "5"]
    run.says("opool: none: ").expect(expected.map { $0 + "\n" }.joined())
  }
}
