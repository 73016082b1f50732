import PoolTestSupport
import Testing

/// What `opool` does where the system lacks what others take for granted: it runs, or names what is
/// missing.
///
/// The mounts are a name space's own, for which some systems want privileges.
@Suite("A bare system", .enabled(if: Namespace.isPermitted), .timeLimit(.minutes(2)))
struct BareSystemTests {
  /// Runs a script after another one has taken things away.
  private func run(_ script: String, without preparation: String) throws -> OpoolRun {
    let whole = "\(preparation) || exit 77\n\(script)"
    return try Opool.shell("exec \(Namespace.enter) sh -c \"$SCRIPT\"")
      .environment("SCRIPT", whole).run()
  }

  @Test("without /proc, arguments are read and commands run")
  func noProc() throws {
    let script = """
      opool map -k 'head -c 20000 /dev/zero | tr "\\\\0" {}' ::: a b || exit
      opool-worker --version
      """
    let run = try run(script, without: "mount -t tmpfs none /proc").expect()
    let outputs = ["a", "b"].map { String(repeating: $0, count: 20_000) }.joined()
    #expect(run.stdout.hasPrefix(outputs))
    #expect(run.stdout.dropFirst(outputs.count).hasPrefix("opool-worker "))
  }

  @Test("without /proc, a worker that is killed is replaced, and a timeout ends a command")
  func noProcSupervision() throws {
    let script = """
      opool map -j1 --retries 1 'test -e once || { touch once; kill -9 $PPID; }; echo {}' ::: a
      opool map --timeout 0.1 sleep ::: 60
      """
    let run = try run(script, without: "mount -t tmpfs none /proc").expect("a\n", exit: 1)
    run.says("timed out")
  }
}
