import PoolJournal
import PoolModel
import PoolTestSupport
import Testing

/// Contract: wherever the coordinator is killed, a resumed run accepts one result of each
/// operation, and executes again at most what had no record.
@Suite("A coordinator that is killed, and resumed")
struct JournalCrashTests {
  private static let count = 6

  /// A chain, so that each operation starts when the journal has all before it.
  ///
  /// The one that is armed kills its coordinator, before or after its side effect.
  private static func chain(armed: Int, beforeEffect: Bool) -> String {
    (1...count).map { number in
      let kill =
        "[ -e once ] || { touch once; \(Opool.findCoordinator); kill -9 $2; sleep 1000; }"
      let effect = "echo \(number) >> ran"
      let line = beforeEffect ? "\(kill); \(effect)" : "\(effect); \(kill)"
      let after = number > 1 ? ",\"after\":[\"\(number - 1)\"]" : ""
      return #"{"id":"\#(number)","shell":"\#(number == armed ? line : effect)"\#(after)}"# + "\n"
    }.joined()
  }

  private func expectEachAcceptedOnce(_ journal: [UInt8]) throws {
    let scan = try JournalScan(journal)
    try scan.demandUndamaged()
    var state = JournalState()
    for entry in scan.entries {
      let acceptance = state.apply(entry)
      #expect(acceptance == .accepted || acceptance == .none)
    }
    #expect(state.outcomes.values.count { $0.ending == .succeeded } == Self.count)
  }

  @Test(
    "Killed at every record, it executes again only the operation that was executing",
    arguments: 1...count
  )
  func killed(_ number: Int) async throws {
    for (durability, beforeEffect) in [("none", true), ("50ms", false), ("operation", false)] {
      let options = "-q -j1 --journal j --durability \(durability)"
      let command = try Opool.shell(
        """
        opool run \(options) m; echo $?; opool journal export j | grep -c settled
        opool run \(options) --resume m; echo $?
        """
      ).file("m", Self.chain(armed: number, beforeEffect: beforeEffect))
      let run = try await Blocking.run { try command.run() }
      run.expect("137\n\(number - 1)\n0\n")
      let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
      let expected = beforeEffect ? [] : [number]
      #expect(ran.sorted() == (Array(1...Self.count) + expected).sorted())
      try expectEachAcceptedOnce(run.folder.bytes(of: "j"))
    }
  }

  /// With several at once it is not known which have ended, so the journal is asked.
  @Test("Killed among many, it executes nothing again that had its record", arguments: [2, 9, 20])
  func killedAmongMany(_ number: Int) async throws {
    let count = 24
    let kill =
      "[ {} != \(number) ] || [ -e once ] || "
      + "{ touch once; \(Opool.findCoordinator); kill -9 $2; sleep 1000; }"
    let command = try Opool.shell(
      """
      map() { seq \(count) | opool map -j3 --journal j --results "$@"; }
      map before 'echo {} >> ran; \(kill)'; echo $?; opool journal export j > kept
      map after --resume 'echo {} >> ran; \(kill)'; echo $?
      """
    )
    let run = try await Blocking.run { try command.run() }
    run.expect("137\n0\n")
    let kept = run.folder.text(of: "kept").matches(of: /"id":"(\d+)"/).compactMap { Int($0.1) }
    let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
    #expect(Set(ran) == Set(1...count) && !kept.contains(number))
    #expect(kept.allSatisfy { id in ran.count { $0 == id } == 1 }, "\(kept) of \(ran)")
    #expect((1...count).allSatisfy { id in ran.count { $0 == id } <= 2 }, "\(ran)")
    #expect(
      try run.results("after").filter(\.resumed).compactMap { Int($0.id) }.sorted() == kept.sorted()
    )
  }

  /// The command that kills it goes on, and so do those behind it until the worker learns of that.
  @Test(
    "Killed among short commands, it executes again at most what its workers held",
    arguments: [20, 101, 202]
  )
  func killedAmongShort(_ number: Int) async throws {
    let (count, width) = (300, 2)
    // One that executes, and up to four that were prefetched.
    let held = 5
    let line =
      "echo {} >> ran; [ {} != \(number) ] || [ -e once ] || "
      + "{ touch once; \(Opool.findCoordinator); kill -9 $2; }"
    let command = try Opool.shell(
      """
      map() { seq \(count) | opool map -q -j\(width) --journal j "$@" '\(line)'; echo $?; }
      map; opool journal export j > kept; map --resume
      """
    )
    let run = try await Blocking.run { try command.run() }
    run.expect("137\n0\n")
    let kept = run.folder.text(of: "kept").matches(of: /"id":"(\d+)"/).compactMap { Int($0.1) }
    let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
    let again = Dictionary(grouping: ran) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(Set(ran) == Set(1...count) && ran.count == count + again.count)
    #expect(again.allSatisfy { !kept.contains($0) } && again.count <= width * held, "\(again)")
  }

  @Test("An operation starts when the records of all that it depends on can be read")
  func order() async throws {
    for durability in ["none", "50ms", "operation"] {
      let lines = (1...Self.count).map { number in
        let look = "opool journal export j | grep -q '\\\"id\\\":\\\"\(number - 1)\\\"'"
        return number == 1
          ? #"{"id":"1","run":["true"]}"#
          : "{\"id\":\"\(number)\",\"shell\":\"\(look)\",\"after\":[\"\(number - 1)\"]}"
      }.joined(separator: "\n")
      let command = try Opool("run", "--journal", "j", "--durability", durability, "m")
        .file("m", lines)
      let run = try await Blocking.run { try command.run() }
      run.expect("").says("opool: \(Self.count) succeeded in T\n")
    }
  }

  /// What a killed process leaves is a beginning of what it would have written.
  @Test("From any beginning of a real journal, exactly what has no record is executed")
  func prefixes() async throws {
    let lines = (1...Self.count).map {
      #"{"id":"\#($0)","shell":"echo \#($0) >> ran"}"# + "\n"
    }.joined()
    let command = try Opool("run", "-q", "-j1", "--journal", "j", "m").file("m", lines)
    let run = try await Blocking.run { try command.run() }
    let journal = run.expect("").folder.bytes(of: "j")
    let entries = try JournalScan(journal).entries
    let ends = entries.map(\.offset) + [journal.count]
    let outcomeEnds = entries.filter { entry in
      guard case .settled = entry.record else { return false }
      return true
    }.map(\.body.upperBound)
    #expect(outcomeEnds.count == Self.count)
    for end in ends {
      for cut in [end, end - 5, end - 60] where cut > 0 {
        let kept = outcomeEnds.count { $0 <= cut }
        try await resume(lines, Array(journal[..<cut]), kept: kept, ends.contains(cut))
      }
    }
  }

  private func resume(
    _ lines: String,
    _ journal: [UInt8],
    kept: Int,
    _ isWhole: Bool
  ) async throws {
    let command = try Opool("run", "-j1", "--journal", "j", "--resume", "--same-folder", "m")
      .file("m", lines)
    try command.folder.write(journal, to: "j")
    let run = try await Blocking.run { try command.run() }
    run.expect("")
    #expect(run.stderr.contains("are no whole record; left out") == !isWhole)
    let ran = run.folder.text(of: "ran").split(separator: "\n").compactMap { Int($0) }
    #expect(ran == Array(1...Self.count).suffix(Self.count - kept))
    try expectEachAcceptedOnce(run.folder.bytes(of: "j"))
  }
}
