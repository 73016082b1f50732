import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// What a run consumes does not grow with what it executes.
@Suite("Resources")
struct ResourceTests {
  /// The script's first words: runs a command and leaves its peak memory in KiB in `peak`.
  private static let measured = """
    python3 -c 'import os, sys
    child = os.fork() or os.execvp(sys.argv[1], sys.argv[1:])
    _, status, usage = os.wait4(child, 0)
    open("peak", "w").write(str(usage.ru_maxrss))
    sys.exit(os.waitstatus_to_exitcode(status))'
    """

  /// The number of the coordinator, as a command's shell finds it: the parent of its worker's
  /// guardian.
  private static let coordinator = "$(ps -o ppid= $(ps -o ppid= $PPID) | tr -d ' ')"

  private func expectFlat(
    _ run: OpoolRun,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let peak = try #require(Int(run.folder.text(of: "peak")))
    #expect(peak < 60 << 10, "peak memory in KiB", sourceLocation: location)
  }

  /// RAM and 4GB: as large as the time for a test allows.
  @Test("RAM: an output of 300 MB passes in flat memory", .needsPython)
  func largeOutput() throws {
    let script = "\(Self.measured) opool map 'head -c 300000000 /dev/zero; :' ::: 1 | wc -c"
    try expectFlat(try Opool.shell(script).run().expect("300000000\n"))
  }

  /// All but the first wait on disk for the first.
  @Test("Many outputs that wait for their turn do so in flat memory", .needsPython)
  func waitingOutputs() throws {
    let line =
      "if [ {} = 1 ]; then read x < go; elif [ {} = 150 ]; then echo > go; fi; head -c 1000000 /dev/zero"
    let script = """
      mkfifo go; seq 150 | \(Self.measured) opool map -q -k -j2 '\(line)' | wc -c
      """
    try expectFlat(try Opool.shell(script).run().expect("150000000\n"))
  }

  /// 16 workers have 33 descriptors to wait for.
  @Test("With many workers opool asks the system what is ready, and no child inherits that")
  func readinessQueue() throws {
    let look = """
      if [ {} -gt 300 ]; then
        echo $(ls -l /proc/\(Self.coordinator)/fd | grep -c eventpoll) \
          $(ls -l /proc/$PPID/fd /proc/self/fd | grep -c eventpoll)
      fi
      """
    let inputs = (1...320).map { "\($0)\n" }.joined()
    // The system's libraries have some of their own.
    let queues = try ["-j2", "-j16"].map { width in
      let run = try Opool("map", "-q", width, look).stdin(inputs).run().expect(stderr: "")
      let lines = Set(run.stdout.split(separator: "\n"))
      #expect(lines.count == 1 && lines.first?.hasSuffix(" 0") == true, "\(lines)")
      return lines.first?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
    #expect(queues[1] == queues[0] + 1)
  }

  /// Counted by commands of the run, early and late.
  @Test("Descriptors, threads and children of opool stay as few as they were")
  func descriptors() throws {
    let look = """
      if [ $(expr {} % 200) = 0 ]; then
        pid=\(Self.coordinator)
        echo $(ls /proc/$pid/fd | wc -l) $(ls /proc/$pid/task | wc -l) \
          $(ps -o stat= --ppid $pid | grep -c Z)
      fi; if [ $(expr {} % 10) = 0 ]; then head -c 70000 /dev/zero >&2; fi
      """
    let run = try Opool("map", "-k", "-j2", look).stdin((1...800).map { "\($0)\n" }.joined())
      .run().expect()
    let counts = run.stdout.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
    #expect(counts.count == 4)
    for count in counts {
      // Outputs on their way to the printer are open files, up to 128 of them.
      #expect(count[0] < 250 && count[1] < 12 && count[2] == 0, "\(counts)")
    }
  }

  /// One named in each message, and no half of anything.
  @Test("DISKFULL: outputs that cannot be kept are named, with exit code 5 or a failure")
  func fullDisk() throws {
    // A file may be no larger than 1 MiB: the nearest thing to a full disk without a mount.
    let script = "ulimit -f 1024; opool map 'head -c 4000000 /dev/zero; echo end {}' ::: a"
    let run = try Opool.shell(script).run()
    #expect(run.status != .exited(0))
    run.expectNothingLeft()
  }
}
