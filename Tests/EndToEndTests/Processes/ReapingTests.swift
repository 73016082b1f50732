import PoolSystem
import Testing

/// An ended process is reaped by its parent at that time, while the run goes on.
@Suite("Reaping", .enabled(if: Subreaper() != nil, "needs adopted orphans"))
struct ReapingTests {
  /// Says of which of the worker's, its guardian's and the coordinator's children nobody has heard
  /// that they have ended.
  private static let zombies = """
    parent() { read -r s < /proc/$1/stat; set -- ${s##*) }; echo $2; }
    guardian=$(parent $1)
    for p in $1 $guardian $(parent $guardian); do for c in $(cat /proc/$p/task/*/children); do
      read -r s < /proc/$c/stat && case ${s##*) } in Z*) echo "of $(cat /proc/$p/comm): $s";; esac
    done; done 2> /dev/null
    """

  /// Ends when there is none; what has ended this very moment is reaped in the next.
  private static let wait = """
    until found=$(sh zombies $PPID); [ -z "$found" ]; do echo "$found" >&2; sleep 0.01; done; echo none
    """

  private static let findGuardian = "read -r s < /proc/$PPID/stat; set -- ${s##*) }"

  /// The first of the commands ends something; the second looks what is left of that.
  @Test(
    "No worker, no command and no orphan of theirs stays a zombie",
    arguments: [
      "true", "(true &); setsid true & :", "kill -9 $PPID; sleep 1000", "kill -9 $2; sleep 1000",
      "kill -9 $2 $PPID", "setsid sleep 1000 & (sleep 1000 &); kill -9 $PPID $2; sleep 1000",
    ]
  )
  func reaped(first: String) throws {
    let line = "case {} in 1) \(Self.findGuardian); \(first);; 2) \(Self.wait);; esac"
    let run = try Opool("map", "-q", "-k", "-j1", "--timeout", "60", line, ":::", "1", "2")
      .file("zombies", Self.zombies).run()
    #expect(run.stdout == "none\n", "\(run.stderr)")
  }

  /// The first command's has them while no command is executed: they are its guardian's.
  ///
  /// The second command comes when they are there.
  @Test("No orphan of a daemon stays a zombie")
  func ofDaemon() throws {
    let daemon = "setsid sh -c 'read x < go; (true &); (true &); echo > made' >&- 2>&- &"
    let opool = try Opool.shell(
      """
      mkfifo go made
      { echo 1; read x < made; echo 2; } | opool map -q -j1 --timeout 60 "$LINE" |
        { read x; echo > go; cat; }
      """
    ).environment("LINE", "case {} in 1) \(daemon) echo up;; 2) \(Self.wait);; esac")
    let run = try opool.file("zombies", Self.zombies).run()
    #expect(run.stdout == "none\n", "\(run.stderr)")
  }
}
