import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// A run whose streams are not read still ends when it is told to.
@Suite("Streams without a reader")
struct StuckStreamTests {
  /// Fifty outputs of 100 kB, of which ten fit into the widest pipe.
  private static let outputs = "-j2 'echo {} >>ran; seq 20000' ::: $(seq 50)"
  /// Outputs of which not one fits, so that nothing is left to chance where the time is limited.
  private static let large = "-j2 'true {}; seq 200000' ::: $(seq 50)"
  /// Waits until more of them have executed than fit.
  private static let untilStuck = "until [ \"$(wc -l <ran)\" -ge 40 ]; do :; done 2>/dev/null"

  /// Runs `opool map` with options while `p` is an open pipe that is not read.
  private func run(_ command: String) throws -> OpoolRun {
    try Opool.shell(
      """
      mkfifo p; exec 7<>p
      \(command)
      """
    ).run()
  }

  private func seconds(of body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure { try body() } / .seconds(1)
  }

  @Test(
    "A summary that a full disk takes none of makes the exit code 5; one without a reader does not"
  )
  func fullDisk() throws {
    let run = try Opool.shell(
      """
      opool map --json true ::: 1 2>/dev/full; echo $?
      opool map -q true ::: 1 2>/dev/full; echo $?
      exec 3>&1
      { opool map true ::: 1 2>&1 >&3; echo $? >&3; } | :
      """
    ).run()
    run.expect("5\n0\n0\n")
  }

  @Test("The deadline ends a run whose standard output is not read")
  func deadline() throws {
    let time = try seconds {
      try run("opool map --deadline 2 \(Self.large) >p; echo $?")
        .expect("124\n").says("opool: the deadline has passed\n")
        .says(" not printed\n")
    }
    // Without the deadline, only the watchdog would end it, after 300 s.
    #expect(time < 100)
  }

  @Test("SIGTERM ends a run whose standard output is not read")
  func terminate() throws {
    let run = try run(
      """
      opool map \(Self.outputs) >p 2>err & pid=$!
      \(Self.untilStuck)
      kill -TERM $pid; wait $pid; echo $?; cat err
      """
    )
    run.expect(exit: 0)
    #expect(run.stdout.hasPrefix("143\n"))
    #expect(run.stdout.contains(" not printed\n"))
  }

  /// The first one waits for the reader: outputs may be wanted.
  @Test("A first interrupt says what is waited for, and a second one ends it")
  func interrupts() throws {
    let run = try run(
      """
      set -m
      mkfifo err
      \(Opool.interruptible) opool map \(Self.outputs) >p 2>err & pid=$!
      exec 8<err
      \(Self.untilStuck)
      kill -INT $pid
      read -r line <&8; echo "$line"
      kill -INT $pid
      cat <&8; wait $pid; echo $?
      """
    )
    let lines = run.stdout.split(separator: "\n")
    #expect(lines.first?.hasPrefix("opool: the standard output is not read: ") == true)
    #expect(lines.first?.hasSuffix("; interrupt again to drop unread output") == true)
    #expect(lines.last == "130")
    #expect(run.stdout.contains(" not printed\n"))
  }

  /// The second message does not begin with an empty line.
  @Test("What is said of a stuck output begins at the start of a line")
  func openLine() throws {
    let run = try run(
      """
      set -m
      mkfifo err
      set -- 'case {} in 1) printf open >&2 ;; *) echo {} >>ran; seq 20000 ;; esac' ::: $(seq 50)
      \(Opool.interruptible) opool map -j1 "$@" >p 2>err & pid=$!
      exec 8<err; head -c 4 <&8; echo
      \(Self.untilStuck)
      kill -INT $pid
      read -r line <&8; echo "$line"; read -r line <&8; echo "$line"
      kill -INT $pid
      cat <&8; wait $pid; echo $?
      """
    )
    let lines = run.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "open" && lines.dropFirst().first == "")
    #expect(lines.dropFirst(2).first?.hasPrefix("opool: the standard output is not read: ") == true)
    #expect(!lines.dropFirst(2).dropLast().contains(""), "\(run.stdout)")
  }

  @Test("Where neither stream is read, the results say how much was not printed")
  func bothStuck() throws {
    let run = try run("opool map --deadline 5 --results r \(Self.large) >p 2>p; echo $?")
    run.expect("124\n")
    let last = try #require(run.folder.text(of: "r").split(separator: "\n").last)
    let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Int]
    #expect(object?.keys.sorted() == ["unprinted"])
    #expect((object?["unprinted"] ?? 0) > 0)
  }

  /// What is said at the end comes after all that the printer does.
  @Test("A run that has ended, and cannot say so, ends by its deadline")
  func stuckWords() throws {
    for deadline in [0.5, 5, 50] {
      let run = try run(
        """
        dd if=/dev/zero of=p oflag=nonblock bs=4096 2>/dev/null
        opool map --deadline \(deadline) 'echo {}' ::: a 2>p; echo $?
        """
      )
      // A busy machine may not even have executed it by then.
      if run.stdout == "124\n", deadline < 50 { continue }
      _ = run.expect("a\n124\n")
      return
    }
  }

  @Test("Unread results delay neither the run's end nor its outputs")
  func stuckResults() throws {
    let run = try run(
      "opool map -j2 --deadline 1 --results p 'seq 20000; : {}' ::: $(seq 50) | wc -l; echo $?"
    )
    #expect(run.stdout.hasSuffix("0\n"))
    run.says("opool: the deadline has passed\n").expectNothingLeft()
  }

  /// Back-pressure: without it, all of them would have executed before the reader came.
  @Test("While outputs are not read, little more is executed; then everything is printed")
  func heldBack() throws {
    let run = try run(
      """
      opool map -j2 'echo {} >> ran; seq 20000' ::: $(seq 1000) >p & pid=$!
      count=-1
      while [ $count != $(wc -l < ran) ]; do count=$(wc -l < ran); sleep 0.5; done 2>/dev/null
      echo $((count < 500))
      exec 8<p 7<&-
      wc -l <&8; wait $pid; echo $?
      """
    )
    run.expect("1\n20000000\n0\n")
  }
}
