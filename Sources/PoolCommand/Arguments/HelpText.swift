/// What `--help` prints; every line is shorter than 80 columns.
enum HelpText {
  static let general = """
    opool: a pool of worker processes for graphs of commands

    Usage:
      opool run [OPTION]… [FILE|-]            execute the operations of a manifest
      opool map [OPTION]… COMMAND… ::: ARG…   execute a command once for each input
      opool journal verify|export|compact FILE  look after a run's journal
      opool run --help | opool map --help     options, fields and examples
      opool journal --help                    what a journal is for
      opool --version

    Operations execute in worker processes, as many at once as there are cores,
    in the order of their dependencies and priorities. The output of each appears
    whole, when it finishes. One that fails holds back only what depends on it.

    Examples:
      opool run build.jsonl
      opool map gzip -9 ::: *.log
      find . -name '*.png' | opool map -j4 convert {} {.}.jpg

    \(exitCodes)
    """

  static let run = """
    Usage: opool run [OPTION]… [FILE|-]

    Executes the operations of a manifest; without FILE, or with -, the manifest is
    read from the standard input.

    \(options)

    Manifest: JSON Lines, UTF-8, one operation a line, of 64 MiB at most. Empty
    lines and lines that begin with # are skipped. Exactly one of run, shell and
    kind is required.
    \(fields)
    Where a string may hold bytes that are not UTF-8, {"base64": "…"} may stand.

    \(results)

    \(signals)

    Examples:
      {"id": "fetch", "run": ["curl", "-sSO", "https://example.org/data.csv"]}
      {"id": "count", "shell": "wc -l < data.csv", "after": ["fetch"]}
      {"run": ["rm", "data.csv"], "after": [{"id": "count", "when": "finished"}]}
      {"shell": "cat $OPOOL_INPUT_lines", "inputs": {"lines": "count"}}

    \(exitCodes)
    """

  static let map = """
    Usage: opool map [OPTION]… COMMAND… ::: ARG…
           opool map [OPTION]… COMMAND… < FILE

    Executes the command once for each input: for each ARG, or, without :::, for
    each line of the standard input. Options come before the command. A line with
    a NUL, or of more than 1 MiB, ends the inputs: what came before is executed,
    and the exit code is 2.

    Several words are executed as they are, without a shell. A single word is a
    shell command line, in which each placeholder is quoted as one word. No input
    can become shell syntax. Without a placeholder the input is the last argument.
      {}    the input                     dir/photo.tar.gz
      {.}   without its extension         dir/photo.tar
      {/}   without its folder            photo.tar.gz
      {//}  its folder                    dir
      {/.}  without folder and extension  photo.tar
      {#}   its number, from 1            1

    \(options)

    \(results)

    \(signals)

    Examples:
      opool map gzip -9 ::: *.log
      opool map -k 'grep -c TODO {} | sed "s|^|{/}: |"' ::: Sources/*/*.swift
      find . -name '*.png' | opool map -j4 --timeout 60 convert {} {.}.jpg

    \(exitCodes)
    """

  static let journal = """
    Usage: opool journal verify FILE     say whether the journal is whole
           opool journal export FILE     print its records as JSON Lines
           opool journal compact FILE    take away what no --resume needs

    A journal is what 'opool run' and 'opool map' keep by --journal: the outcome of
    each operation that was executed. With --resume those that succeeded are not
    executed again, and count as succeeded. Those that did not stay as they are,
    unless --resume-failed executes them again.

    Outputs are kept until they are printed, in the journal or, above 1 KiB, in
    FILE.outputs, which is removed when all were printed. --resume prints what is
    kept, so that all runs together print each output at least once. Kept outputs
    that are missing or damaged are refused, unless --salvage, which executes
    their operations again.

    A run that begins while processes of an earlier one live waits for their end,
    names one after 1 s, and gives up after 10 s with exit code 5.

    An operation is known by what it is: its command or kind, payload, cwd, stdin
    and env, by what it comes after, and by a running number among identical ones.
    Not by its line, id, priority, timeout or name, and not by what is in files:
    one whose input file has changed is not executed again. An operation that has
    succeeded is executed again where another one must be that is given its output.

    A torn end, which a crash leaves, is cut off, and a hole where the machine
    stopped before it was synced is left out; a damaged middle is refused, unless
    --salvage, and makes the exit code of verify and export 1. A journal belongs
    to one run at a time; one that is deleted, moved or changed during the run
    ends it with exit code 5.

    \(exitCodes)
    """

  private static let options =
    "Options:\n" + HelpColumns.lines(Option.allCases.map { ($0.label, $0.row.help) }, column: 25)

  private static let fields =
    HelpColumns.lines(ManifestField.allCases.map { ($0.name, $0.row.help) }, column: 12)

  private static let results = """
    Outputs: what a command has written by its end, and its children by then. What
    these write later is dropped; a command that waits for them loses nothing.

    Results: a line of JSON for each operation, in the order of ending, with all of
    id, name, group (that it is a member of), members (null), outcome, cause, exit,
    signal, attempt, worker, queued, started, finished (seconds of the run), usage,
    stepsTaken (how it was made to end: each step, and at which second of the run),
    stdout and stderr (64 KiB at most), stdoutBytes, stderrBytes, result, message;
    null where there is none: a command that succeeded has exit 0, one that was to
    end has the exit code that it gave itself, or the signal that killed it, and
    one that was not started has neither; and resumed, whether a journal has said
    it. A group has a line, too, with its name as the id, and its number of
    members. The cause dependency:ID names what began it all. Where the results go
    to the standard output, too, each line is whole and behind the operation's
    output. Where what is said at the end cannot be written, or is not read, a
    last line {"unprinted": N} says how many outputs were not printed. Results,
    journal, manifest and history are files of their own, whatever they are named,
    or nothing is executed.
    """

  private static let signals = """
    Signals:
      INT, TERM  end the run as --term-seq says; the second time at once
      QUIT       Ctrl-\\: end the run at once, without asking; no core file is left
      HUP        finish what executes, and begin nothing more; ignored with nohup
      USR1       say on the standard error what executes, where and how long, and
                 how far the run is; the run goes on
      TSTP       Ctrl-Z: stop with all commands, until CONT
    """

  private static let exitCodes = """
    Exit codes:
      0  every operation succeeded
      1  at least one operation did not
      2  usage error
      3  the manifest is not valid; nothing was executed
      4  no worker could start, or the protocol failed
      5  output or results could not be written, or the journal not be used; the
         run ends at once, but not where only the standard error takes nothing
      124  the deadline has passed
      129, 130, 131, 143  hung up, interrupted, quit; 141  standard output closed

    """
}
