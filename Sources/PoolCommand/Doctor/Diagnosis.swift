import PoolModel
import PoolSystem

/// The capabilities and limits of a machine, and their consequences for a run.
///
/// Pure: it is made from facts, so that a test can describe any machine.
struct Diagnosis {
  /// One finding.
  struct Finding: Hashable {
    /// How it bears on a run.
    enum Weight: String, Hashable {
      case good
      /// Something is missing that a run can do without.
      case lacking
      /// No command can be executed.
      case fatal
    }

    var name: String
    var value: String
    /// What follows from it for a run.
    var meaning: String
    var weight: Weight
  }

  /// The programs that are looked for, with the path of each that was found.
  typealias Programs = [String: String]

  private(set) var findings: [Finding] = []

  /// Whether commands can be executed.
  var isUsable: Bool { findings.allSatisfy { $0.weight != .fatal } }

  init(of facts: MachineFacts, _ programs: Programs) {
    noteWorker(programs)
    noteProcessors(facts)
    noteDescriptors(facts)
    noteProcesses(facts)
    noteSystem(facts)
    noteTemporaryFiles(facts)
    notePrograms(programs)
  }

  private mutating func note(
    _ name: String,
    _ value: String,
    _ meaning: String,
    _ weight: Finding.Weight = .good
  ) {
    findings.append(Finding(name: name, value: value, meaning: meaning, weight: weight))
  }

  private mutating func noteWorker(_ programs: Programs) {
    if let path = programs["opool-worker"] {
      note("worker", path, "commands can be executed")
    } else {
      note(
        "worker",
        "no 'opool-worker' beside 'opool' or on PATH",
        "no command can be executed: install it beside 'opool'",
        .fatal
      )
    }
    if programs["sh"] == nil {
      note("shell", "no 'sh' on PATH", "shell lines cannot be executed", .lacking)
    }
  }

  private mutating func noteProcessors(_ facts: MachineFacts) {
    var parts = ["\(facts.online) online"]
    if let allowed = facts.allowed, allowed < facts.online { parts.append("\(allowed) allowed") }
    if let quota = facts.quota { parts.append("a quota of \(quota)") }
    let width = max(min(facts.allowed ?? facts.online, facts.quota ?? .max), 1)
    note(
      "processors",
      parts.joined(separator: ", "),
      "\(width) \(width == 1 ? "operation executes" : "operations execute") at once without -j"
    )
  }

  private mutating func noteDescriptors(_ facts: MachineFacts) {
    let room = WorkerCapacity(facts).byDescriptors
    guard room > 0 else {
      let advice = "no worker can be started: raise the limit, by 'ulimit -n 1024'"
      return note("descriptors", "\(facts.descriptors)", advice, .fatal)
    }
    var meaning = "enough for about \(Plural.of(min(room, WidthRequest.limit), "worker"))"
    if facts.highestDescriptors > facts.descriptors, room < 10_000 {
      meaning += "; 'ulimit -n \(facts.highestDescriptors)' allows more"
    }
    note("descriptors", "\(facts.descriptors)", meaning, room < 8 ? .lacking : .good)
  }

  private mutating func noteProcesses(_ facts: MachineFacts) {
    let capacity = WorkerCapacity(facts)
    guard let limit = capacity.processes, let room = capacity.byProcesses else {
      return note("processes", "no limit", "as many commands at once as -j says")
    }
    note(
      "processes",
      "\(limit), with all that run already",
      "enough for at most \(room) commands at once",
      room < 8 ? .lacking : .good
    )
  }

  private mutating func noteSystem(_ facts: MachineFacts) {
    note(
      "memory kills",
      facts.tellsMemoryKills,
      "a failure says so if a command was killed for its memory",
      else: "a command that is killed for its memory is reported as killed by signal 9"
    )
    note(
      "process handles",
      facts.holdsProcesses,
      "a signal reaches no other process with the same number",
      else: "processes are signalled by their numbers"
    )
    note(
      "shared memory",
      facts.sharesMemory,
      "what a worker reported before it was killed is not lost",
      else: "what a killed worker had not sent is executed again"
    )
  }

  /// Notes something that the system has, or lacks.
  private mutating func note(_ name: String, _ has: Bool, _ good: String, else lacking: String) {
    note(name, has ? "yes" : "no", has ? good : lacking, has ? .good : .lacking)
  }

  private mutating func noteTemporaryFiles(_ facts: MachineFacts) {
    let folder = Printable.text(facts.temporaryFolder)
    let name = "temporary files"
    guard let obstacle = facts.temporaryObstacle else {
      return note(name, folder, "outputs of commands lie there until they are printed")
    }
    let meaning =
      facts.temporarySubstitute.map {
        "outputs of commands lie in \($0) instead; commands have TMPDIR as it is"
      } ?? "set TMPDIR to a folder that can be written, or outputs are lost"
    note(name, "\(folder): \(obstacle.reason)", meaning, .lacking)
  }

  private mutating func notePrograms(_ programs: Programs) {
    for (name, meaning) in [
      ("python3", "workers in Python can be started with --worker"),
      ("ssh", "workers of other machines: -S HOST"),
      ("srun", "workers of a Slurm cluster: --worker '1:srun -n1 opool-worker --slots=N'"),
    ] {
      if let path = programs[name] {
        note(name, path, meaning)
      } else {
        note(name, "not found", "none of these: \(meaning)", .lacking)
      }
    }
  }
}
