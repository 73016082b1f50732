import PoolCommand
import PoolJournal
import Testing

@testable import PoolInputs
@testable import PoolReports

/// Contract: what is wanted of a journal is understood, or refused before anything happens.
@Suite("Arguments about journals")
struct JournalArgumentTests {
  private func options(_ line: String) throws -> JournalOptions? {
    switch try Invocation(arguments: arguments(line)) {
    case .run(let options): options.shared.journal
    case .map(let options): options.shared.journal
    default: nil
    }
  }

  private func failure(_ line: String) -> String? {
    do throws(UsageError) {
      _ = try Invocation(arguments: arguments(line))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("Runs and maps take the same options")
  func same() throws {
    for command in ["run", "map"] {
      let line = "\(command) --journal j --durability operation --resume --salvage x"
      let options = try #require(try options(line))
      #expect(options.path == bytes("j") && options.durability == .operation)
      #expect(options.resumes && options.salvages && !options.resumesFailed)
      #expect(try self.options("\(command) x") == JournalOptions())
    }
    #expect(try options("run --journal=j --durability=50ms --resume-failed")?.durability == .window)
    let reruns = try #require(try options("map --journal j --rerun 3 --rerun 5 x"))
    #expect(reruns.reruns == [bytes("3"), bytes("5")])
    #expect(try options("run --journal=j --durability none")?.durability == Durability.none)
  }

  @Test(
    "Options that would mean nothing are refused",
    arguments: [
      ("run --resume m", "opool: --resume without a journal"),
      ("map --resume-failed x", "opool: --resume-failed without a journal"),
      ("run --rerun x m", "opool: --rerun without a journal"),
      ("run --journal j --rerun= m", "opool: --rerun needs the id of an operation"),
      ("run --durability none m", "opool: --durability without a journal"),
      (
        "run --journal j --salvage m",
        "opool: --salvage is for --resume, --resume-failed or --rerun"
      ),
      ("run --journal j --durability 5s", "opool: --durability needs one of none, 50ms, operation"),
      ("run --journal - m", "opool: a journal is a file, not a stream: '-'"),
      ("run --journal j --results j m", "opool: the journal and the results in one file: 'j'"),
      ("run --journal= m", "opool: --journal needs the name of a file"),
      ("run --resumed", "opool: unknown option"),
      ("journal", "opool: nothing to do with a journal"),
      ("journal look j", "opool: journals can be used with verify, export, compact"),
      ("journal verify", "opool: opool journal verify needs one file"),
      ("journal compact a b", "opool: opool journal compact needs one file"),
      ("journl verify j", "opool: unknown subcommand"),
    ]
  )
  func refused(_ line: String, _ message: String) {
    #expect(failure(line)?.hasPrefix(message) == true, "\(failure(line) ?? "accepted")")
  }

  @Test("The subcommand has its actions and its help")
  func subcommand() throws {
    for action in JournalCommandOptions.Action.allCases {
      let expected = Invocation.journal(JournalCommandOptions(action, path: bytes("j")))
      #expect(try Invocation(arguments: arguments("journal \(action.rawValue) j")) == expected)
      #expect(HelpTopic.journal.text.contains("opool journal \(action.rawValue) FILE"))
    }
    for line in ["journal --help", "journal -h", "journal verify --help"] {
      #expect(try Invocation(arguments: arguments(line)) == .help(.journal))
    }
  }

  @Test("The help explains the options")
  func help() {
    for topic in [HelpTopic.run, .map] {
      for option in [
        "--journal FILE", "--resume ", "--resume-failed", "--rerun ID", "--salvage",
        "--durability WHEN",
      ] {
        #expect(topic.text.contains(option), "\(topic): \(option)")
      }
    }
  }
}
