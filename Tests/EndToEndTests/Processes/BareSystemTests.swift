import Foundation
import PoolTestSupport
import Testing

/// What `opool` does where the system lacks what others take for granted: it runs, or names what is
/// missing.
///
/// The mounts are a name space's own, for which some systems want privileges.
@Suite("A bare system", .enabled(if: Namespace.isPermitted), .timeLimit(.minutes(30)))
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

  /// Prints outputs too large for an answer, and then lines of the standard input.
  private static let outputsAndInputs = """
    opool map -k 'head -c 20000 /dev/zero | tr "\\\\0" {}' ::: a b || exit
    printf 'c\\nd\\n' | opool map --pipe -k cat
    """
  private static let expected =
    ["a", "b"].map { String(repeating: $0, count: 20_000) }.joined() + "c\nd\n"

  /// There each number is another process's: its files are neither read nor written to.
  @Test(
    "with the /proc of another PID namespace, outputs and inputs are as elsewhere",
    .enabled(if: WorkerTests.canBeFirst)
  )
  func otherProc() throws {
    try Opool.shell("exec unshare -rpf --kill-child sh -c \"$SCRIPT\"")
      .environment("SCRIPT", Self.outputsAndInputs).run().expect(Self.expected)
  }

  /// The system lets no other process look into one whose program cannot be read.
  @Test(
    "with programs that can be executed but not read, outputs and inputs are as elsewhere",
    .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv))
  )
  func unreadablePrograms() throws {
    let stranger =
      geteuid() == 0 ? "\(Self.setpriv) --reuid=65534 --regid=65534 --clear-groups" : ""
    let script = """
      chmod 755 . && mkdir -m 777 open && cp "$(command -v opool)" "$(command -v opool-worker)" . &&
      chmod 111 opool opool-worker && export PATH="$PWD:$PATH" && cd open && export TMPDIR=. &&
      exec \(stranger) sh -c "$SCRIPT"
      """
    try Opool.shell(script).environment("SCRIPT", Self.outputsAndInputs).run().expect(Self.expected)
  }

  private static let setpriv = "/usr/bin/setpriv"

  @Test("with nothing but folders that cannot be written, temporary files lie in memory")
  func readOnly() throws {
    // The programs, and all of PATH, may lie below a folder that is covered.
    let preparation = """
      mount --bind "$(dirname "$(command -v opool)")" /mnt && cd / && unset TMPDIR &&
      PATH=$PATH:/usr/sbin:/usr/bin:/sbin:/bin &&
      for folder in /tmp /var/tmp; do
        mkdir -p $folder && mount -t tmpfs -o ro none $folder || exit 77
      done
      """
    let script = "/mnt/opool map -k -j2 'head -c 100000 /dev/zero | tr \"\\\\0\" {}' ::: a b"
    let run = try run(script, without: preparation)
    run.expect(["a", "b"].map { String(repeating: $0, count: 100_000) }.joined())
    run.says("temporary files lie in memory instead")
  }

  /// Foundation, which starts workers elsewhere, gives each of them a socket of its own.
  @Test("with many descriptors, workers are started without Foundation, which would crash")
  func manyDescriptors() throws {
    let script = """
      ulimit -n 2048 2> /dev/null
      look() { opool map -j1 'ls -l /proc/$PPID/fd' ::: a; }
      look | grep -c socket: && exec 1500< /dev/null && look | grep -c -e socket: -e '1500 ->'
      """
    try Opool.shell(script, by: "/bin/bash").run().expect("1\n0\n", exit: 1)
  }

  @Test("with a TMPDIR that is missing, the system's folder is used, and that is said")
  func missingFolder() throws {
    let run = try Opool("map", "echo", ":::", "a").environment("TMPDIR", "/no/such").run()
    run.expect("a\n").says("opool: TMPDIR: mkstemp in /no/such: No such file or directory; ")
  }

  @Test("with a TMPDIR that is not UTF-8, temporary files lie there")
  func strangeFolder() throws {
    let script = """
      folder=$(printf 'a\\377b') && mkdir "$folder" &&
      echo 'head -c 3000000 /dev/zero >&2; readlink /proc/$PPID/fd/* 2>/dev/null' > look
      TMPDIR=$PWD/$folder exec opool map -q sh look ::: a 2> large
      """
    let run = try Opool.shell(script).run()
    #expect(run.stdout.contains("/a\u{FFFD}b/"))
  }

  /// Files of a worker are opened again by the coordinator, and its files by workers.
  @Test(
    "with a umask that withholds rights from the owner, outputs and inputs are as elsewhere",
    .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv))
  )
  func strictMask() throws {
    let unprivileged = geteuid() == 0 ? "\(Self.setpriv) --bounding-set=-all --inh-caps=-all" : ""
    let manifest = """
      {"id": "large", "run": ["head", "-c", "100000", "/dev/zero"]}
      {"id": "small", "run": ["echo", "small"]}
      {"shell": "cat $OPOOL_INPUT_l $OPOOL_INPUT_s | wc -c", "inputs": {"l": "large", "s": "small"}}
      """
    let script = "exec \(unprivileged) sh -c 'umask 0477; opool run - | tail -c 7'"
    try Opool.shell(script).stdin(manifest).run().expect("100006\n")
  }

  @Test("without /dev/null, that is what the error names")
  func noNull() throws {
    let run = try run("opool map echo ::: a", without: "mount -t tmpfs none /dev")
    run.expect("", exit: 4).says("open /dev/null: No such file or directory")
  }

  @Test(
    "with a stack of 32 KiB, everything works, and commands have that limit",
    arguments: [32, 100]
  )
  func smallStack(limit: Int) throws {
    let script = "ulimit -s \(limit); exec opool map -k -j2 'ulimit -s; echo {}' ::: a b"
    try Opool.shell(script).run().expect("\(limit)\na\n\(limit)\nb\n")
  }
}
