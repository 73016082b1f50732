import Foundation
import PoolTestSupport
import Testing

/// What was killed leaves nothing among the temporary files for longer than until the next run.
@Suite("Temporary folders of what was killed", .timeLimit(.minutes(30)))
struct StaleFolderTests {
  /// Ends once there are no more than so many folders; the test's time limit is behind it.
  private static func untilFolders(_ count: Int) -> String {
    #"until test "$(ls "$TMPDIR" | grep -c opool-run)" -le \#(count); do sleep 0.01; done"#
  }

  /// One input in a file of the coordinator's, one in a file of the worker's.
  private static let manifest = """
    {"id": "large", "shell": "head -c 100000 /dev/zero"}
    {"id": "small", "shell": "echo small"}
    {"id": "user", "shell": "touch ready; exec sleep 1000", \
    "inputs": {"large": "large", "small": "small"}}

    """

  @Test("The next run removes the folders of a coordinator", arguments: ["KILL", "ALRM", "XCPU"])
  func coordinator(signal: String) throws {
    let script = """
      opool run manifest >/dev/null & run=$!
      until test -e ready; do sleep 0.01; done
      ls "$TMPDIR" | grep -c opool-run
      kill -\(signal) $run; wait $run
      opool map '\(Self.untilFolders(0)); ls -A "$TMPDIR"; echo {}' ::: gone
      """
    let run = try Opool.shell(script).file("manifest", Self.manifest).run()
    run.expect("2\ngone\n")
  }

  @Test("Two runs at once leave each other's folders alone")
  func neighbours() throws {
    let script = """
      opool run manifest >/dev/null & run=$!
      until test -e ready; do sleep 0.01; done
      opool map -k 'ls "$TMPDIR" | grep -c opool-run; : {}' ::: 1 2 3
      kill $run; wait $run
      """
    let run = try Opool.shell(script).file("manifest", Self.manifest).run().expect(exit: 143)
    #expect(run.stdout == "2\n2\n2\n")
  }

  @Test("A run removes the folder of its own worker, once that was killed")
  func worker() throws {
    let line = """
      if test -e once; then \(Self.untilFolders(1).replacing("\"", with: "\\\"")); echo swept
      else touch once; kill -9 $PPID; fi
      """.replacing("\n", with: "; ").replacing("swept; else", with: "swept; else")
    let manifest = """
      {"id": "small", "shell": "echo small"}
      {"id": "user", "shell": "\(line)", "inputs": {"small": "small"}, "retries": 1}

      """
    try Opool("run", "manifest").file("manifest", manifest).run().expect("small\nswept\n")
  }
}
