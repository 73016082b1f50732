import Foundation
import PoolJournal
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: a journal has one owner at a time, owners are numbered, and nothing that is there is
/// overwritten.
@Suite("A journal's file")
struct FileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ name: String = "journal") -> [UInt8] { Array(folder.path(of: name).utf8) }

  private func open(
    _ name: String = "journal",
    continues: Bool = true,
    salvages: Bool = false,
    _ durability: Durability = .none
  ) throws -> OpenJournal {
    var options = OpenJournal.Options()
    options.continues = continues
    options.salvages = salvages
    options.durability = durability
    return try OpenJournal(path: path(name), options) { _ in }
  }

  private func failure(_ body: () throws -> OpenJournal) -> JournalError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? JournalError)?.code
    }
  }

  private func settle(_ names: String..., in journal: OpenJournal) throws {
    for name in names { journal.writer.append(SampleJournal.settled(name, journal.epoch)) }
    try journal.writer.close()
  }

  @Test("Each owner has a higher number, and finds what those before it have kept")
  func epochs() throws {
    for durability in Durability.allCases {
      let name = "journal-\(durability.name)"
      for epoch in 1...4 {
        let journal = try open(name, durability)
        #expect(journal.epoch == UInt64(epoch) && journal.warnings.isEmpty)
        #expect(journal.state.outcomes.count == epoch - 1)
        try settle("\(epoch)", in: journal)
      }
    }
  }

  @Test("A second owner is refused as long as the first one lives")
  func exclusion() async throws {
    try await Blocking.run {
      do {
        let first = try open()
        #expect(failure { try open() } == .inUse)
        #expect(throws: JournalError.self) { try JournalFile.open(path: path()) }
        try settle("a", in: first)
      }
      #expect(try open().state.outcomes.count == 1)
    }
  }

  @Test("A journal that is there is refused, unless it is to be continued")
  func existing() throws {
    try settle("a", in: try open(continues: false))
    let before = folder.bytes(of: "journal")
    #expect(failure { try open(continues: false) } == .exists)
    #expect(folder.bytes(of: "journal") == before)
    try folder.write("precious", to: "other")
    for continues in [false, true] {
      #expect(failure { try open("other", continues: continues, salvages: true) } == .notJournal)
    }
    #expect(folder.text(of: "other") == "precious")
  }

  @Test("What can be no journal is refused by the system's own reason")
  func unusable() {
    for name in [".", "missing/journal"] {
      guard case .system = failure({ try open(name) }) else {
        Issue.record("\(name) is opened")
        continue
      }
    }
    #expect(throws: JournalError.self) { try JournalFile.open(path: Array("/dev/full".utf8)) }
  }

  /// Also where the file ends within its first line.
  @Test("A torn end is cut with a warning, and the next record follows the last whole one")
  func tornTail() throws {
    let sample = SampleJournal()
    for count in 1...sample.bytes.count {
      try folder.write(Array(sample.bytes[..<count]), to: "journal")
      let isWhole = sample.boundaries.contains(count)
      let journal = try open()
      #expect(journal.warnings.isEmpty == isWhole, "cut at \(count)")
      try settle("new", in: journal)
      let scan = try JournalScan(folder.bytes(of: "journal"))
      #expect(scan.damage.isEmpty && scan.tornTail == nil, "cut at \(count)")
      #expect(JournalState(scan.entries).outcomes[SampleJournal.key("new")] != nil)
      #expect(
        scan.entries.count == sample.boundaries.count { $0 <= count } - 1 + 2
          + (count < sample.boundaries[0] ? 1 : 0)
      )
    }
  }

  @Test("A damaged middle is refused and stays as it is, and is left out by salvaging")
  func damage() throws {
    let sample = SampleJournal()
    var bytes = sample.bytes
    let offset = sample.boundaries[1]
    bytes[offset + 30] ^= 4
    try folder.write(bytes, to: "journal")
    #expect(failure { try open() } == .corrupt(offset: offset))
    #expect(folder.bytes(of: "journal") == bytes)
    do {
      let journal = try open(salvages: true)
      #expect(journal.warnings.count == 1 && journal.state.outcomes.count == 2)
      try settle("a", in: journal)
    }
    let again = try open()
    #expect(again.warnings.isEmpty && again.epoch == 4 && again.state.outcomes.count == 3)
    #expect(try folder.names() == ["journal"])
  }

  /// A process that opened the old file just before must not own a file without a name.
  @Test("A replaced journal belongs to the process that replaced it")
  func replacing() async throws {
    try await Blocking.run {
      let file = try JournalFile.open(path: path())
      let text = SampleJournal().bytes
      let replacement = try file.replace(with: text)
      #expect(folder.bytes(of: "journal") == text)
      #expect(throws: JournalError.self) { try JournalFile.open(path: path()) }
      try withExtendedLifetime((file, replacement)) { try replacement.append([1]) }
      #expect(folder.bytes(of: "journal") == text + [1])
    }
  }

  @Test("A new journal has the version of its keys; an older one keeps its own")
  func version() throws {
    _ = try open()
    #expect(folder.text(of: "journal").hasPrefix("opool-journal 2 sha-256\n"))
    var old = Array("opool-journal 1 sha-256\n".utf8)
    old += SampleJournal().bytes.dropFirst(old.count)
    for rewritten in [try JournalCompaction.compacted(old), try JournalCompaction.salvaged(old)] {
      #expect(rewritten.starts(with: old.prefix(24)) && rewritten.count > 24)
    }
  }

  @Test("A journal that is replaced keeps its permissions and, where that can be shown, its owner")
  func owner() throws {
    let file = try JournalFile.open(path: path())
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(folder.path(of: "journal"), 12, 34) == 0) }
    #expect(chmod(folder.path(of: "journal"), 0o640) == 0)
    _ = try file.replace(with: SampleJournal().bytes)
    var status = stat()
    #expect(stat(folder.path(of: "journal"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(!isRoot || status.st_uid == 12 && status.st_gid == 34)
  }
}
