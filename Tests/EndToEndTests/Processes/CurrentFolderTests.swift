import Foundation
import PoolTestSupport
import Testing

/// Where `opool` is started: it runs wherever a fork would.
@Suite("The current folder", .timeLimit(.minutes(30)))
struct CurrentFolderTests {
  private static let setpriv = "/usr/bin/setpriv"

  /// Root may enter every folder, save without its capabilities.
  @Test(
    "that cannot be entered again is where commands run",
    .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: Self.setpriv))
  )
  func notToBeEntered() throws {
    let unprivileged =
      geteuid() == 0 ? "\(Self.setpriv) --bounding-set=-all --inh-caps=-all" : ""
    let script = """
      mkdir outer outer/inner && outer=$PWD/outer && cd outer/inner
      for closed in . ..; do
        chmod 0 $closed
        \(unprivileged) opool map 'readlink /proc/self/cwd; : {}' ::: a || echo "exit code $?"
        chmod 700 "$outer" "$outer/inner"
      done
      """
    let run = try Opool.shell(script).run().expect()
    let here = run.folder.path(of: "outer/inner")
    #expect(run.stdout == "\(here)\n\(here)\n", "\(run.stderr)")
  }

  @Test("that has been removed is where commands run")
  func removed() throws {
    let script = "mkdir gone && cd gone && rmdir ../gone && opool map echo ::: a"
    try Opool.shell(script).run().expect("a\n")
  }
}
