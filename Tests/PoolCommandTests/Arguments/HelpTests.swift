import PoolCommand
import PoolCore
import PoolEvents
import PoolModel
import PoolWire
import Testing

@testable import PoolInputs
@testable import PoolReports
@testable import PoolText

/// Contract: the help texts fit on a terminal, and leave out no option, field or exit code.
@Suite("Help")
struct HelpTests {
  @Test("Every line is shorter than 80 columns and has no blanks at its end")
  func widths() {
    for topic in HelpTopic.allCases {
      for line in topic.text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(DisplayWidth.of(String(line)) < 80, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
      #expect(topic.text.hasSuffix("\n"))
      #expect(!topic.text.hasSuffix("\n\n"))
    }
  }

  @Test("Both subcommands explain every option and every exit code")
  func completeness() {
    let options = [
      "-j, --jobs N", "-k, --keep-order", "--dry-run", "--retries N", "--timeout TIME",
      "--retry-on CAUSES", "--retry-delay TIME", "--idempotent", "--heartbeat TIME",
      "--chaos RATES", "--seed N",
      "--deadline TIME", "--halt WHEN", "--term-seq STEPS", "--order ORDER", "--history FILE",
      "--results NAME", "--joblog FILE", "--worker N:COMMAND", "-S, --sshlogin HOSTS", "--env NAME",
      "--hosts FILE", "--margin TIME", "--drain-on SIGNAL", "--init LINE", "--slurm",
      "-q, --quiet", "-v, --verbose",
      "--json", "--progress[=HOW]", "--no-progress", "--color[=WHEN]", "--progress-every TIME",
      "--show WHICH",
      "--on-end COMMAND", "--junit FILE", "--ci github", "--help", "  -h  ",
      "--version", "--delay TIME", "--load N", "--memfree SIZE", "--shuf", "--nice N", "--wd DIR",
      "--tmpdir DIR",
    ]
    for topic in [HelpTopic.run, .map] {
      for option in options { #expect(topic.text.contains(option), "\(topic): \(option)") }
    }
    let blocks = [
      "--pipe", "--pipepart", "--block SIZE", "-N, --max-replace-args N", "--recstart TEXT",
      "--recend TEXT", "-n, --max-args N", "-L, --max-lines N", "-X ", "-m ",
      "-s, --max-chars BYTES", "-C, --colsep REGEX", "--header :", "--shard I/N", "--unsafe-nested",
    ]
    for option in blocks { #expect(HelpTopic.map.text.contains("  \(option)"), "\(option)") }
    #expect(!HelpTopic.run.text.contains("--pipe"))
    for topic in [HelpTopic.general, .run, .map] {
      for code in ExitCode.allCases {
        #expect(topic.text.contains(String(code.rawValue)), "\(topic): \(code)")
      }
    }
  }

  @Test("The manifest's fields and the placeholders are explained")
  func fields() {
    let fields = [
      "id", "run", "shell", "kind", "payload", "after", "priority", "qos", "timeout", "retries",
      "cwd", "env", "stdin", "name", "exclusive", "limit", "slots", "barrier", "group", "inputs",
      "termSeq", "expected", "retryDelay", "retryOn",
    ]
    for field in fields { #expect(HelpTopic.run.text.contains("\n  \(field) "), "\(field)") }
    for placeholder in ["{}", "{.}", "{/}", "{//}", "{/.}", "{#}"] {
      #expect(HelpTopic.map.text.contains("\n  \(placeholder) "), "\(placeholder)")
    }
  }

  @Test("Both subcommands explain every field of the results")
  func results() {
    var writer = JSONWriter()
    ResultLine(EndRecord(number: 0, ending: .succeeded), OperationDescription(id: bytes("a")))
      .append(to: &writer)
    let line = String(decoding: writer.bytes, as: UTF8.self)
    let fields = line.matches(of: /"(\w+)":/).map { String($0.1) }
    #expect(fields.count > 15)
    for topic in [HelpTopic.run, .map] {
      let words = Set(topic.text.split { !$0.isLetter }.map { String($0) })
      #expect(Set(fields).subtracting(words) == [])
    }
  }

  @Test("The general help is this")
  func snapshot() {
    #expect(
      HelpTopic.general.text == """
        opool: a pool of worker processes for graphs of commands

        Usage:
          opool run [OPTION]… [FILE|-]            execute the operations of a manifest
          opool map [OPTION]… COMMAND… ::: ARG…   execute a command once for each input
          opool plan [OPTION]… [FILE|-]           check a manifest, and show its plan
          opool status [--run PID] [--watch]      which runs there are, and how far
          opool explain ID [--run PID]            what an operation waits for
          opool output ID [-f] [--run PID]        what an operation has written so far
          opool cancel ID… [--run PID]            cancel operations of a run
          opool scale N [--run PID]               execute N operations at once
          opool pause|unpause [--run PID]         let nothing begin; let it begin again
          opool report [OPTION]… [FILE]           what happened in a run, and why
          opool journal verify|export|compact FILE  check, print or shrink a journal
          opool -h                                everyday options, on one screen
          opool help SUBCOMMAND                   options, fields and examples
          opool check-worker -- COMMAND…          check a worker against the protocol
          opool doctor [--json] [HOST]            what a machine offers, and lacks
          opool completion bash|zsh|fish          completions, to be read by the shell
          opool man                               the manual page, for 'man -l -'
          opool version

        Operations execute in worker processes, as many at once as there are cores,
        in the order of their dependencies and priorities. The output of an operation
        is printed as a whole when it finishes. A failure stops only its dependents.

        Examples:
          opool run build.jsonl
          opool map gzip -9 ::: *.log
          find . -name '*.png' | opool map -j4 convert {} {.}.jpg

        Environment of each command:
          OPOOL_ID          what messages and results call the operation: its id, or
                            its number
          OPOOL_ATTEMPT     the number of the attempt, from 1
          OPOOL_SLOT        a number from 1 that no other command has at the same time
          OPOOL_WORKER_ID   the number of its worker, which no later worker has
          OPOOL_KEY         an idempotency key: the same in each attempt and each
                            resumed run, and in no other run
          PARALLEL_SEQ      the number of the operation, from 1, as GNU parallel calls
                            it
          PARALLEL_JOBSLOT  the slot, as GNU parallel calls it
          OPOOL_INPUT_NAME  the path of a file with the input NAME of the field inputs

        Environment that opool reads:
          PATH              folders of programs; opool looks for a program in them once
          TMPDIR            folder for temporary files, unless --tmpdir names one
                            (/tmp)
          TERM              dumb: no progress at the end of the terminal
          NO_COLOR          no colours, unless --color asks for them
          MAKEFLAGS         the jobserver of a make that has started opool by a recipe
                            with +; see --jobserver
          GITHUB_WORKSPACE  the repository's folder, from which --ci=github names files
          OPOOL_KEEP_RUNS   of how many runs 'opool report' without FILE finds the
                            records: those on a terminal that took more than 10 s, at
                            most 10, and 50 MB together; 0 keeps none (10)
          XDG_STATE_HOME    folder in which these records are, in a folder opool
                            (~/.local/state)

        Exit codes:
          0  every operation succeeded
          1  at least one operation did not
          2  usage error
          3  the manifest is not valid; nothing was executed, with --stream nothing
             from the invalid line on
          4  no worker could start, or the protocol failed
          5  could not write output or results, or could not use the journal; the run
             ends at once, unless only standard error could not be written
          75  drained by --margin or --drain-on: --resume executes the rest
          124  the deadline has passed
          129, 130, 131, 143  ended by HUP, INT, QUIT, TERM; 141  output closed

        """
    )
  }

  @Test("The examples of the manifest's help are a valid manifest")
  func examples() throws {
    let lines = HelpTopic.run.text.split(separator: "\n").filter { $0.hasPrefix("  {\"") }
    let manifest = try Manifest(bytes(lines.joined(separator: "\n")))
    #expect(manifest.count == 4)
    #expect(manifest.order.levelCount == 3)
  }
}
