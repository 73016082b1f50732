import PoolCommand
import PoolCore
import PoolModel
import PoolReports
import Testing

@testable import PoolInputs

/// The arguments in one string, split at blanks.
func arguments(_ line: String) -> [[UInt8]] {
  line.split(separator: " ").map { Array($0.utf8) }
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] {
  Array(text.utf8)
}

/// Contract: arguments become one invocation, byte for byte, or a usage error that says what is
/// wrong, where, and what may help.
@Suite("Arguments")
struct ArgumentTests {
  private func run(_ line: String) throws -> RunOptions {
    guard case .run(let options) = try Invocation(arguments: arguments(line)) else {
      throw UsageError("no run")
    }
    return options
  }

  private func map(_ line: String) throws -> MapOptions {
    guard case .map(let options) = try Invocation(arguments: arguments(line)) else {
      throw UsageError("no map")
    }
    return options
  }

  private func failure(_ line: String) -> UsageError? {
    do {
      _ = try Invocation(arguments: arguments(line))
      return nil
    } catch {
      return error
    }
  }

  @Test("Without options everything has its default")
  func defaults() throws {
    let options = try run("run graph.jsonl")
    #expect(options == RunOptions(manifest: .file(bytes("graph.jsonl"))))
    #expect(options.shared.width == nil)
    #expect(options.shared.verbosity == .normal)
  }

  @Test("The manifest comes from the standard input without a name, or with a dash")
  func standardInput() throws {
    #expect(try run("run").manifest == .standardInput)
    #expect(try run("run -").manifest == .standardInput)
    #expect(try run("run -- -n").manifest == .file(bytes("-n")))
  }

  @Test(
    "Options may be bundled, attached, or apart, before or after the manifest",
    arguments: [
      "run -kn -j4 --retries 2 --timeout 1.5 --results out f",
      "run -knj4 --retries=2 --timeout=1.5 --results=out f",
      "run f -knj 4 --retries=2 --timeout 15e-1 --results out",
      "run --keep-order --dry-run -j 9 f -j 4 --retries 2 --timeout 1.5 --results=out",
    ]
  )
  func spellings(line: String) throws {
    var expected = SharedOptions()
    expected.keepsOrder = true
    expected.isDryRun = true
    expected.width = .count(4)
    expected.retries = 2
    expected.timeout = 1_500_000_000
    expected.results = bytes("out")
    #expect(try run(line) == RunOptions(shared: expected, manifest: .file(bytes("f"))))
  }

  @Test("The time that a manifest is waited for counts for the deadline")
  func deadlineAfterWaiting() throws {
    let options = try run("run --deadline 0.5").shared
    #expect(options.afterWaiting(100_000_000).deadline == 400_000_000)
    #expect(options.afterWaiting(600_000_000).deadline == 0)
    #expect(try run("run").shared.afterWaiting(1).deadline == nil)
  }

  @Test("A run has a deadline, and a teardown sequence of its own")
  func limits() throws {
    let options = try run("run --deadline 0.5 --timeout 200% --term-seq TERM,20,KILL").shared
    #expect(options.relativeTimeout?.percent == 200)
    #expect(options.timeout == nil)
    #expect(options.deadline == 500_000_000)
    #expect(options.teardown?.steps.map(\.graceMilliseconds) == [20, 0])
  }

  @Test("Retries have causes and a delay, and workers a heartbeat")
  func retries() throws {
    let line = "run --retry-on exit,workerDied --retry-delay 0.5 --heartbeat 2 --seed 7"
    let options = try run(line + " --chaos kill=1%,spawnfail=0.02").shared
    #expect(options.retryCondition == (try RetryCondition(["exit", "workerDied"])))
    #expect(try run("run --retry-delay 0").shared.retryDelay == 0)
    #expect(options.retryDelay == 500_000_000)
    #expect(options.heartbeat == 2_000_000_000)
    #expect(options.seed == 7)
    #expect(options.chaos?.rates == [.kill: 0.01])
    #expect(options.chaos?.spawnFailure == 0.02)
  }

  @Test("Workers are kept in their order, and the last of quiet and verbose holds")
  func workers() throws {
    let words = ["run", "--worker", "2:python3 w.py:x", "-v", "--worker=1:ssh h", "-q"]
    guard case .run(let options) = try Invocation(arguments: words.map(bytes)) else { return }
    #expect(
      options.shared.workers == [
        WorkerRequest(count: 2, command: bytes("python3 w.py:x")),
        WorkerRequest(count: 1, command: bytes("ssh h")),
      ]
    )
    #expect(options.shared.verbosity == .quiet)
  }

  @Test("Options of map end at the first word of the command")
  func mapOptions() throws {
    let options = try map("map -k grep -n x ::: a -k")
    #expect(options.shared.keepsOrder)
    #expect(!options.shared.isDryRun)
    #expect(options.command == arguments("grep -n x"))
    #expect(options.inputs.sources == [InputSource(.arguments(arguments("a -k")))])
    #expect(try map("map -- -k").command == arguments("-k"))
    #expect(try map("map echo").inputs.sources == [])
    #expect(try map("map echo :::").inputs.sources == [InputSource(.arguments([]))])
  }

  @Test("Bytes that are not UTF-8 stay as they are")
  func rawBytes() throws {
    let raw: [UInt8] = [0xFF, 0x2F, 0xC3]
    let invocation = try Invocation(
      arguments: [bytes("map"), bytes("--results"), raw, raw, bytes(":::"), raw]
    )
    var shared = SharedOptions()
    shared.results = raw
    var inputs = InputOptions()
    inputs.sources = [InputSource(.arguments([raw]))]
    #expect(
      invocation == .map(MapOptions(shared: shared, command: [raw], inputs: inputs))
    )
  }

  @Test("Help and version come before everything that follows")
  func help() throws {
    #expect(try Invocation(arguments: arguments("--help")) == .help(.general))
    #expect(try Invocation(arguments: arguments("run --help --nonsense")) == .help(.run))
    #expect(try Invocation(arguments: arguments("map --help")) == .help(.map))
    for line in ["-h", "run -nh --nonsense", "map -h", "map -h echo"] {
      #expect(try Invocation(arguments: arguments(line)) == .shortHelp)
    }
    #expect(try Invocation(arguments: arguments("map --version x")) == .version)
    #expect(try Invocation(arguments: arguments("--version")) == .version)
  }

  @Test(
    "What makes no sense is said, with a hint where there is one",
    arguments: [
      ("", "nothing to do"),
      ("rnu", "unknown subcommand: 'rnu'\n       did you mean 'run'?"),
      ("-j4 run", "unknown option before the subcommand: '-j4'"),
      ("run --kep-order", "unknown option: '--kep-order'\n       did you mean '--keep-order'?"),
      ("run --job=3", "unknown option: '--job=3'\n       did you mean '--jobs'?"),
      ("run -kx", "unknown option: '-kx'"),
      ("run -z", "unknown option: '-z'\n       'opool run --help' explains the options"),
      ("run -j", "--jobs needs a value: N"),
      ("run -j10001", "--jobs needs a number up to 10000, 0, +N, -N, N% or a file"),
      ("run --jobs=", "--jobs needs the name of a file: ''"),
      ("run --retries -1", "--retries needs a whole number of at least 0: '-1'"),
      ("run --retries 2147483648", "--retries needs a whole number from 0 to 2147483647:"),
      ("run --timeout 0", "--timeout needs a time above 0: '0'"),
      ("run --timeout inf", "--timeout needs a time above 0: 'inf'"),
      ("run --timeout 0%", "--timeout needs a whole percentage above 0: '0%'"),
      ("run --retry-on exit,sgnal", "--retry-on needs causes of these: exit, signal, error,"),
      (
        "run --chaos kill=2",
        "--chaos needs faults and rates: '2' is not from 0% to 100%: 'kill=2'"
      ),
      ("run --chaos die=1%", "--chaos needs faults and rates: 'die' is none of kill, stop,"),
      ("run --deadline -1", "--deadline needs a time above 0: '-1'"),
      (
        "run --term-seq TERM",
        "--term-seq needs steps and times: its last step must be KILL: 'TERM'"
      ),
      ("run --results=", "--results needs the name of a file: ''"),
      ("run --worker python3", "--worker needs a number from 1 to 10000, a colon and a command"),
      ("run --worker 2:", "--worker needs a number from 1 to 10000, a colon and a command"),
      ("run --quiet=yes", "--quiet takes no value: '--quiet=yes'"),
      ("run a b", "more than one manifest: 'b'"),
      ("cancel", "opool cancel needs the id of an operation or group"),
      ("scale", "opool scale needs one number"), ("scale 1 2", "opool scale needs one number"),
      ("scale 0", "opool scale needs a number from 1 to 10000: '0'"),
      ("scale 10001", "opool scale needs a number from 1 to 10000: '10001'"),
      ("scale -5", "opool scale needs a number from 1 to 10000: '-5'"),
      ("scale --run 7 -5", "opool scale needs a number from 1 to 10000: '-5'"),
      ("scale -x", "unknown option: '-x'"),
      ("scale +2", "opool scale needs a number from 1 to 10000: '+2'"),
      ("output", "opool output needs the id of an operation"),
      ("output a b", "more than one operation: 'b'"),
      ("output a -f --from m", "--follow asks a run, and --from a file"),
      ("pause x", "opool pause takes no such argument: 'x'"),
      ("unpause x", "opool unpause takes no such argument: 'x'"),
      ("scale --watch 2", "unknown option: '--watch'"),
      ("map", "no command"),
      ("map ::: a", "no command"),
      ("map -k --", "no command"),
    ]
  )
  func errors(line: String, message: String) {
    let text = failure(line)?.description ?? "no error"
    #expect(text.hasPrefix("opool: " + message), "\(text)")
    #expect(text.hasSuffix("--help' explains the options"))
  }

  @Test("An error names the subcommand whose help explains it, and shows no raw bytes")
  func errorTopic() throws {
    #expect(failure("map -x y")?.topic == .map)
    #expect(failure("run -x")?.topic == .run)
    for word in ["cancel", "scale", "pause", "unpause"] {
      let hint = "\n       'opool \(word) --help' explains the options"
      #expect(failure("\(word) -x")?.description.hasSuffix(hint) == true)
    }
    let long = failure("pause " + String(repeating: "x", count: 5_000))
    #expect((long?.description.utf8.count ?? .max) < 500, "an argument of any length is cut")
    let error = UsageError("unknown option", argument: [0x2D, 0x1B, 0x5B, 0xFF])
    #expect(error.description.contains(#"'-\x1B[\xFF'"#))
  }
}
