import Foundation
import PoolJournal
import PoolTestSupport
import Testing

/// Contract: a journal that an earlier version has written is continued as that version would have.
@Suite("Journals of earlier versions")
struct EarlierJournalTests {
  /// What opool 0.1.0 wrote, at several times; `first` is before it marked what was synced and
  /// printed.
  static func golden(_ name: String) throws -> [UInt8] {
    let folder = Repository.root.appending(path: "Tests/EndToEndTests/Journal/Golden")
    return try Array(Data(contentsOf: folder.appending(path: name)))
  }

  /// An `opool` in a folder with the manifest `m` and the journal `j` of this name.
  private static func opool(_ name: String, _ script: String) throws -> Opool {
    let command = try Opool.shell(script)
    try command.folder.write(golden(name + ".jsonl"), to: "m")
    try command.folder.write(golden(name + ".journal"), to: "j")
    return command
  }

  @Test("Its outcomes count, its outputs count as printed, and a new run goes on behind it")
  func resumed() throws {
    let script = "for i in 1 2; do opool run --journal j --resume m; done; opool journal verify j"
    let run = try Self.opool("first", script).run()
    run.expect("j: 9 records, 4 runs, 5 outcomes, 3 of them succeeded\n")
      .says("opool: 3 succeeded, 2 failed, 1 skipped (5 resumed) in T\n")
    #expect(try !run.folder.names().contains("ran"))
    #expect(run.folder.bytes(of: "j").starts(with: try Self.golden("first.journal")))
  }

  @Test("No field that a manifest had then gives an operation another key")
  func everyField() throws {
    let run = try Self.opool("every-field", "opool run --worker 1:false --journal j --resume m")
      .run()
    run.expect("", exit: 1).says("20 succeeded, 1 failed, 1 skipped (21 resumed) in T\n")
  }

  @Test("What it has measured orders a later run as it did then")
  func history() throws {
    let plan = "opool run -n --worker 1:false --order critical-path --history j m"
    let expected = String(decoding: try Self.golden("every-field.plan"), as: UTF8.self)
    try Self.opool("every-field", plan).run().expect(expected)
  }

  @Test("The inputs of a map have the keys that they had then")
  func map() throws {
    let command = try Opool(
      "map",
      "--journal",
      "j",
      "--resume",
      "echo out {}; test {} != c",
      ":::",
      "a",
      "b",
      "c",
      "d e"
    )
    try command.folder.write(Self.golden("map.journal"), to: "j")
    try command.run().expect("", exit: 1).says("3 succeeded, 1 failed (4 resumed) in T\n")
  }

  /// What opool 0.2.0 wrote before a journal told more than outcomes; its folder was `/tmp`.
  @Test("The outcomes of the version before count, and what it had kept is printed")
  func second() throws {
    let run = try Self.opool("second", "opool run --same-folder --journal j --resume m").run()
    run.expect("late\n", exit: 1)
      .says("opool: 4 succeeded, 1 failed, 1 skipped (5 resumed) in T\n")
    #expect(try !run.folder.names().contains("ran"))
  }

  @Test("Damage of it is refused as before")
  func damaged() throws {
    var journal = try Self.golden("first.journal")
    let entries = try JournalScan(journal).entries
    journal[entries[2].offset + 40] ^= 1
    let command = try Self.opool("first", "opool run --journal j --resume m")
    try command.folder.write(journal, to: "j")
    try command.run().expect("", exit: 5)
      .says("opool: j: damaged at offset \(entries[2].offset): ")
  }
}
