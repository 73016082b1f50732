import PoolModel
import PoolSystem
import Testing

@testable import PoolCommand

@Suite("What a machine offers to a run")
struct DiagnosisTests {
  private static let programs = [
    "opool-worker": "/bin/opool-worker", "sh": "/bin/sh", "python3": "/bin/python3",
    "ssh": "/bin/ssh", "srun": "/bin/srun",
  ]

  private var facts: MachineFacts {
    var facts = MachineFacts()
    (facts.online, facts.allowed, facts.quota) = (8, 8, nil)
    (facts.descriptors, facts.highestDescriptors) = (100_000, 100_000)
    (facts.userProcesses, facts.groupProcesses) = (nil, nil)
    (facts.tellsMemoryKills, facts.holdsProcesses, facts.sharesMemory) = (true, true, true)
    (facts.temporaryObstacle, facts.temporarySubstitute) = (nil, nil)
    return facts
  }

  private func finding(
    _ name: String,
    of facts: MachineFacts,
    _ programs: [String: String] = programs
  ) -> Diagnosis.Finding? {
    Diagnosis(of: facts, programs).findings.first { $0.name == name }
  }

  @Test("a machine that has everything lacks nothing")
  func good() {
    let diagnosis = Diagnosis(of: facts, Self.programs)
    #expect(diagnosis.findings.allSatisfy { $0.weight == .good })
    #expect(diagnosis.isUsable)
    #expect(diagnosis.findings.count == 11)
  }

  @Test("only without a worker can no command be executed")
  func unusable() {
    for missing in Self.programs.keys {
      let diagnosis = Diagnosis(of: facts, Self.programs.filter { $0.key != missing })
      #expect(diagnosis.isUsable == (missing != "opool-worker"), "\(missing)")
      #expect(diagnosis.findings.count { $0.weight != .good } == 1, "\(missing)")
    }
  }

  @Test(
    "the width is the least of the processors, those allowed and the quota",
    arguments: [
      (8, 8, nil, "8 online", "8 operations execute at once without -j"),
      (8, 2, nil, "8 online, 2 allowed", "2 operations execute at once without -j"),
      (8, 4, 1, "8 online, 4 allowed, a quota of 1", "1 operation executes at once without -j"),
      (2, nil, 3, "2 online, a quota of 3", "2 operations execute at once without -j"),
    ] as [(Int, Int?, Int?, String, String)]
  )
  func processors(_ online: Int, _ allowed: Int?, _ quota: Int?, _ value: String, _ meaning: String)
  {
    var facts = facts
    (facts.online, facts.allowed, facts.quota) = (online, allowed, quota)
    let found = finding("processors", of: facts)
    #expect(found?.value == value)
    #expect(found?.meaning == meaning)
  }

  @Test("few descriptors and processes are told, with what would help")
  func limits() {
    var facts = facts
    (facts.descriptors, facts.highestDescriptors) = (50, 4_096)
    (facts.userProcesses, facts.groupProcesses) = (3_000, 20)
    let descriptors = finding("descriptors", of: facts)
    #expect(descriptors?.weight == .lacking)
    #expect(descriptors?.meaning == "enough for about 6 workers; 'ulimit -n 4096' allows more")
    #expect(finding("processes", of: facts)?.meaning == "enough for at most 6 commands at once")
    #expect(finding("processes", of: facts)?.weight == .lacking)
  }

  @Test("with too few descriptors for a worker, no command can be executed")
  func noDescriptors() {
    var facts = facts
    facts.descriptors = 20
    let diagnosis = Diagnosis(of: facts, Self.programs)
    #expect(!diagnosis.isUsable)
    #expect(finding("descriptors", of: facts)?.weight == .fatal)
  }

  @Test("where temporary files lie elsewhere, the place is named")
  func detour() {
    var facts = facts
    facts.temporaryFolder = Array("/no".utf8)
    facts.temporaryObstacle = SystemFailure(call: "open", code: 2)
    facts.temporarySubstitute = "/tmp"
    let found = finding("temporary files", of: facts)
    #expect(found?.value == "/no: No such file or directory")
    #expect(found?.meaning.hasPrefix("outputs of commands lie in /tmp instead") == true)
  }

  @Test("a folder for temporary files that cannot be written is named, safely for a terminal")
  func temporaryFiles() {
    var facts = facts
    facts.temporaryFolder = Array("/a\u{1B}b".utf8)
    facts.temporaryObstacle = SystemFailure(call: "open", code: 13)
    let found = finding("temporary files", of: facts)
    #expect(found?.weight == .lacking)
    #expect(found?.value.contains("\u{1B}") == false)
    #expect(found?.value.hasSuffix("Permission denied") == true)
  }

  @Test("every finding is two lines of text, marked where something lacks, or an object of JSON")
  func forms() {
    let diagnosis = Diagnosis(of: facts, Self.programs.filter { $0.key != "srun" })
    let text = String(decoding: DoctorCommand.lines(of: diagnosis), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2 * diagnosis.findings.count)
    #expect(lines.filter { $0.hasPrefix("! ") }.count == 1)
    let json = String(decoding: DoctorCommand.json(of: diagnosis), as: UTF8.self)
    #expect(json.hasPrefix(#"{"type":"doctor","version":""#) && json.hasSuffix("]}\n"))
    #expect(json.matches(of: /"weight":/).count == diagnosis.findings.count)
  }
}
