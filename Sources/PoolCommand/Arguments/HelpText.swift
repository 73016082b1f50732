import PoolInputs
import PoolText

/// What `--help` prints; every line is shorter than 80 columns.
enum HelpText {
  static let general = """
    opool: a pool of worker processes for graphs of commands

    Usage:
    \(synopsis)

    \(description)

    Examples:
    \(examples)

    \(environment)

    \(exitCodes)
    """

  private static let environment = """
    Environment of each command:
    \(HelpColumns.lines(EnvironmentVariables.ofCommands, column: 20))

    Environment that opool reads:
    \(HelpColumns.lines(EnvironmentVariables.ofOpool, column: 20))
    """

  static let synopsis = """
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
    """

  static let description = """
    Operations execute in worker processes, as many at once as there are cores,
    in the order of their dependencies and priorities. The output of an operation
    is printed as a whole when it finishes. A failure stops only its dependents.
    """

  static let examples = """
      opool run build.jsonl
      opool map gzip -9 ::: *.log
      find . -name '*.png' | opool map -j4 convert {} {.}.jpg
    """

  static let run = """
    Usage: opool run [OPTION]… [FILE|-]

    Executes the operations of a manifest. Without FILE, or with -, the manifest is
    read from standard input.

    \(options(of: .run))

    Manifest: \(manifest)
    \(fields)
    {"base64": "…"} replaces a string of run, shell, stdin, cwd or env whose bytes
    are not UTF-8.

    \(results)

    \(signals)

    \(environment)

    Examples:
      {"id": "fetch", "run": ["curl", "-sSO", "https://example.org/data.csv"]}
      {"id": "count", "shell": "wc -l < data.csv", "after": ["fetch"]}
      {"run": ["rm", "data.csv"], "after": [{"id": "count", "when": "finished"}]}
      {"shell": "cat $OPOOL_INPUT_lines", "inputs": {"lines": "count"}}

    \(exitCodes)
    """

  static let map = """
    Usage: opool map [OPTION]… COMMAND… ::: ARG… [::: ARG…]…
           opool map [OPTION]… COMMAND… :::: FILE… [::: ARG…]…
           opool map [OPTION]… COMMAND… < FILE
           opool map --pipe [OPTION]… COMMAND… < FILE

    Executes the command once for each input: for each ARG, for each line of the
    files behind ::::, or, without these, for each line of standard input. With
    several sources, all combinations are inputs; :::+ and ::::+ link a source to
    the source before it, and the shorter source ends both. Options come before
    the command. A line that contains a NUL, or has more than 128 MiB, ends the
    inputs: the inputs before it are executed, and the exit code is 2.

    Several words are executed without a shell. A single word is a shell command
    line, in which each placeholder is quoted as one word, so that no input becomes
    syntax of that line. Without a placeholder the input is the last argument.

    Some programs read a word again as a program. So an input must be plain (ASCII
    letters, digits and _ . / : , + @ -) where its placeholder is part of a word
    with blanks or signs of a shell ("Add {}"), or a word of a command such as a
    shell, ssh, su, watch, eval or a builtin that evaluates names. If the input is
    not plain, the operation fails and is not executed. The same holds for each
    input of a line that evaluates variables (eval $x, sh -c "a $x", $((x))) or
    starts a shell without a script. Any input is safe as a word after the text or
    the script of a shell: sh -c 'gzip "$1"' sh {}. opool does not check what sed,
    awk, SQL and other languages read.

    \(placeholders)

    \(options(of: .map))

    \(results)

    \(signals)

    \(environment)

    Examples:
      opool map gzip -9 ::: *.log
      opool map -k 'grep -c TODO {} | sed "s|^|{/}: |"' ::: Sources/*/*.swift
      find . -name '*.png' | opool map -j4 --timeout 60 convert {} {.}.jpg
      opool map --pipe --block 10M 'grep error | wc -l' < log | paste -sd+ | bc

    \(exitCodes)
    """

  static let status = """
    Usage: opool status [OPTION]…

    Asks the runs of this user on this machine: how far each one is, and, if there
    is only one, or one is named by --run, what executes, where and for how long.
    With --json it is one line for each run, always with everything. A run can be
    asked from its second second on.

    \(options(of: .status))

    \(door)

    Exit codes:
      0  a run has answered; 2  usage error, or there is no such run;
      5  the answer could not be written

    """

  static let explain = """
    Usage: opool explain [OPTION]… ID

    Says what the operation with this identifier waits for: which dependencies, a
    barrier, which limit or category and what holds it, a limit on starts, a slot
    with its place in the queue, the time of its next attempt, or a pause of the
    run; or what it came to. The operations of opool map are called by their
    numbers. With several runs, --run names one.

    \(options(of: .explain))

    \(door)

    Exit codes:
      0  the run, or FILE, knows the operation; 2  usage error, no such run, or no
      such operation; 5  FILE could not be read, or the answer not written

    """

  static let output = """
    Usage: opool output [OPTION]… ID

    Prints what the operation with this identifier has written: its output and its
    error output, each to the stream of that name. While it executes, that is what
    it has written so far, and with -f all that follows. Of one that has ended, it
    is what --results keeps: DIR/ all of it, FILE the first 64 KiB of each. A run
    without --results keeps no output, nor does a journal once it was printed.

    \(options(of: .output))

    \(door)

    Exit codes:
      0  the output so far was printed; 2  usage error, no such run or operation,
      or its output is not kept; 5  FILE could not be read, or output not written

    """

  static let steering = """
    Usage: opool cancel [OPTION]… ID…
           opool scale [OPTION]… N
           opool pause [OPTION]…
           opool unpause [OPTION]…

    Steers a run from another terminal. Each waits until that has happened, says
    what follows, and is a record of the run, with the user and process that asked.

    cancel   ends these operations, or all open ones of a group: those that execute
             by their teardown sequence. Dependents that need their success are
             skipped. If one ID is wrong, or has ended, nothing is cancelled. The
             outcome 'cancelled' is kept in the journal: --resume leaves it,
             --resume-failed executes such an operation again.
    scale    changes how many execute at once, from 1 to 10000. What executes
             beyond a smaller N goes on to its end. Refused where -j FILE says the
             number, above the slots of --worker, and above the tokens of
             --jobserver. --load, --memfree and --delay still hold back what
             begins.
    pause    lets nothing begin until 'opool unpause'; what executes goes on. A
             paused run ends as others do by Ctrl-C or its deadline.
    unpause  ends only a pause by 'opool pause'.

    \(options(of: .steering))

    \(door)

    Exit codes:
      0  it has happened; 1  it has not yet: the answer says what is still ending;
      2  usage error, no such run or operation, or it cannot be;
      5  the answer could not be written

    """

  /// Where runs are asked.
  private static let door = """
    A run is asked by a socket in $XDG_RUNTIME_DIR/opool, or in /tmp/opool-UID,
    which only the user may enter. Where that folder cannot be had, the run goes on
    without a socket, and says so with -v. kill -USR1 PID asks a run as well.
    """

  static let report = """
    Usage: opool report [OPTION]… [FILE]

    Shows what happened in a recorded run: how the operations ended, what the slots
    did and why they were idle, why the run took that long, and what would have
    been faster. FILE is a journal, or has the lines of --events. If it has several
    runs, the last one is shown. Without FILE, it is the last run of this user on a
    terminal that took more than 10 s: opool keeps the records of the last ten of
    them, with all command lines and no outputs, in a folder that only the user can
    read.

    \(options(of: .report))

    What would have been faster is found by executing the run again in virtual
    time, with the durations that were measured, by the same core as a real run.
    Where commands compute, the cores are shared as they would be: more slots are
    no advice if the cores were busy. The estimate does not know what else would
    change: disks, networks and memory that operations share.

    Environment that opool report reads:
    \(HelpColumns.lines(EnvironmentVariables.ofReports, column: 20))

    Examples:
      opool report
      opool report build.journal
      opool report --html report.html events.jsonl
      opool report --against yesterday.jsonl today.jsonl

    Exit codes:
      0  the report is written; 2  usage error, or no run is recorded in FILE;
      5  FILE could not be read, or the report not written

    """

  static let checkWorker = """
    Usage: opool check-worker [OPTION]… [--] COMMAND…

    Checks whether a worker keeps to the protocol (Protocol/README.md). COMMAND is
    started once for each case, without a shell, and is killed at the end of the
    case with all that it has started. The results are lines of TAP, version 14.
    Below a case that fails are the frame, and the sentence of the protocol that
    it breaks. At the end, comments say which profile the worker passes.

    A case is skipped, with the reason, if it needs a capability that the worker
    does not offer, or a payload that the command line does not name.

    \(options(of: .checkWorker))

    Examples:
      opool check-worker -- python3 Protocol/examples/worker.py
      opool check-worker --kind reverse --succeeds '"abc"' --fails 3 \\
        -- python3 Protocol/examples/worker.py
      opool check-worker --succeeds '{"run": ["true"]}' \\
        --fails '{"run": ["false"]}' --lasts '{"run": ["sleep", "60"]}' \\
        --prints '{"run": ["echo", "text"]}' -- opool-worker

    Exit codes:
      0  no case failed; 1  at least one failed; 2  usage error, or the worker does
      not serve the kind; 4  the worker could not be started; 5  the report, or a
      case of --cases, could not be written or read; 141  output closed

    """

  static let journal = """
    Usage: opool journal verify FILE     check whether the journal is intact
           opool journal export FILE     print its records as JSON Lines
           opool journal compact FILE    remove records that no --resume needs
           opool journal export --events FILE    what happened in its runs, as the
                                                 lines of --events
           opool journal verify|compact --json FILE    the same, as a line of JSON

    With --journal, 'opool run' and 'opool map' keep the outcome of each executed
    operation. With --resume, operations that succeeded are not executed again, and
    count as succeeded. Operations that did not succeed keep their outcome;
    --resume-failed executes them again, and all that depends on them. --rerun ID
    executes one operation again, and all that depends on it, whatever its outcome
    was.

    If opool itself is killed (SIGKILL), --resume executes again the operations
    that were executing, and those that had ended but were not in the journal yet:
    for each worker at most the operations that it was given ahead, up to four
    commands of 1 to 20 ms, or 4 ms of shorter commands.

    Outputs, and results of kinds, are kept until all targets of the run have them
    (standard output, results, job log): in the journal or, above 1 KiB, in
    FILE.outputs. The journal knows how much of each target is certainly written.
    With --resume, opool continues the same files after that part, and writes the
    rest again. If a file has other bytes after that part, or is shorter, opool
    leaves it as it is, and the exit code is 5. Missing or damaged outputs are an
    error; with --salvage, their operations are executed again.

    A journal also says what happened: each attempt with its worker, start and end,
    commands, dependencies, retries, the lives of workers, and whether the run
    ended. Nothing of this is needed to resume, and compact removes it.

    If processes of an earlier run are alive, a new run waits for their end. It
    names one of them after 1 s, and gives up after 10 s with exit code 5.

    An operation is identified by: its run, shell, or kind and payload; cwd, stdin
    and env; the bytes of its block (--pipe, --pipepart); its dependencies, each
    with its when; the names and sources of its inputs; the id that the manifest
    gives it; and a running number among identical operations. Nothing else counts.
    So an operation is not executed again because the content of a file that it
    reads or writes has changed, or a variable that it inherits.

    The journal knows the folder that commands execute in. In another one, outcomes
    do not count: the run says so, and executes; --same-folder keeps the outcomes.
    A succeeded operation is executed again if an operation to be executed needs
    its output.

    A crash can leave an incomplete last record, which is cut off; a machine that
    stops before a sync can leave a hole, which is skipped. Other damage is an
    error, unless --salvage is given; verify and export then exit with 1. One
    journal serves one run at a time. If it is deleted, moved or changed during the
    run, the run ends with exit code 5.

    Exit codes:
      0  the journal is whole, or was compacted
      1  it is damaged, or no journal
      2  usage error
      5  it could not be read or written, or another run uses it
      141  output closed

    """

  private static func options(of topic: HelpTopic) -> String {
    Option.sections(in: topic).map { section in
      section.heading + ":\n"
        + HelpColumns.lines(section.options.map { ($0.label(in: topic), $0.row.help) }, column: 25)
    }.joined(separator: "\n\n")
  }

  private static let fields =
    HelpColumns.lines(ManifestField.allCases.map { ($0.name, $0.row.help) }, column: 12)

  static let manifest = """
    JSON Lines, UTF-8, one operation per line, at most 64 MiB per line.
    Empty lines and lines that begin with # are skipped. Exactly one of run, shell
    and kind is required.
    """

  static let placeholders = """
      {}    the input                     dir/photo.tar.gz
      {.}   without its extension         dir/photo.tar
      {/}   without its folder            photo.tar.gz
      {//}  its folder                    dir
      {/.}  without folder and extension  photo.tar
      {#}   its number, from 1            1
      {%}   the slot that executes it     1
      {1}   the first source's part, or the first of a batch; {-1} the last. Also
            {1.} {2/} {-1//} and so on; {} is all of them, each as a word
      {NAME}  the column with this name of --header; also {NAME.} {NAME/} …
      {..} {...} {/..} {/...}  without two, three extensions
      {+/} {+.} {+..} {+...}   what {/}, {.}, {..} and {...} leave out
    """

  static let results = """
    Outputs: opool prints an output as a whole when its command ends: all that the
    command and its children have written until then, and what children write
    after it until none has written for 100 ms and none is runnable, at most a
    second longer (--output-grace). Later output is dropped until the worker ends,
    normally with the run, and one message names the operation; after that, a
    child that writes gets SIGPIPE. So redirect the output of a daemon:
    daemon >log 2>&1 &. With --line-buffer and -u, outputs are printed while
    commands execute, and a slow reader makes commands wait. With --line-buffer, a
    line above 1 MiB is printed in pieces. With -u, results and journal contain no
    outputs. The line 'opool: ID (INPUT): attempt 1: …; trying again' divides the
    outputs of two attempts.

    Results: one line of JSON for each operation, in the order of ending, with the
    fields id, key (as OPOOL_KEY), run (the same in all runs of a journal), name,
    group (its group), members (null), input (of map), inputs (its parts, one for
    each source), command (as a shell would read it), outcome, cause, exit, signal,
    attempt, worker, queued, started, finished (seconds of the run), startedAt,
    finishedAt (seconds since 1970), usage, stepsTaken (the teardown steps, each
    with its second of the run), stdout and stderr (at most 64 KiB; null if an
    earlier run has printed it), stdoutBytes, stderrBytes, result, errorType and
    errorCode (of an error that a kind has thrown), message and resumed (whether
    the outcome is from a journal). A field without a value is null: exit and
    signal too, if the command was not started. If opool ended a command by a
    signal, exit or signal still says how the command itself ended. A group has a
    line too: its id is the group's name, and members is a number. With --resume,
    lines are added; the last line with a key counts.
    outcome is succeeded, failed, timedOut, lost, cancelled or skipped. cause
    is exit, signal, error, spawn, timeout, workerDied, mayHaveBegun,
    violation, noWorker, unservedKind, quarantined, condition, input, cancelled
    or dependency:ID, which names the root cause. If the results go to standard
    output, each line is whole and follows the output of its operation. If
    opool cannot write its final report, or no program reads it, a last line
    {"unprinted": N} counts the outputs that were not printed. Results, job
    log, events, journal, manifest and history must be different files;
    otherwise nothing is executed.

    Folder of results: DIR/1/INPUT/stdout, stderr and seq (the number), as in GNU
    parallel, and result (JSON, of a kind). With several sources or columns, it is
    DIR/1/A/2/B/…; with names of columns DIR/NAME/A/…; of a manifest DIR/ID/…; of a
    block DIR/NUMBER/…. In names, tab, backslash and slash are \\t, \\\\ and
    \\_; an empty input is \\empty, and . and .. are \\. and \\... If the file
    system takes two inputs for the same name, as with README and readme, the later
    name ends in \\#NUMBER; a name of more than 255 bytes ends in a hash. Each
    file is whole. Files that are no results are left alone.

    Job log: Seq, Host, Starttime, JobRuntime, Send, Receive, Exitval, Signal and
    Command, separated by tabs, for each operation that has executed, unless the
    end of the run tore it down. Exitval is -1 after a timeout or the death of the
    worker, and 127 if the command could not be started. A line feed in a command
    is written as NUL.

    Events: one line of JSON for each thing that happens, in its order, with type,
    at (seconds of the run, when it was told) and the number of the operation:
    runBegan, submitted (the only event with texts: id, command, dependencies …),
    started, attemptEnded (with started and elapsed, as the worker has measured
    them), retryPlanned, settled, workerGreeted, workerEnded, halted, runEnded.
    With a journal, an event is told when the journal has it. A run that is killed
    has no runEnded. Protocol/schema/events.json has all fields.
    """

  static let signals = """
    Signals:
      INT, TERM  end the run with --term-seq; a second signal kills at once. The
                 first INT waits for a slow reader of the outputs, and says so
                 after 1 s. A large output that is still being stored is dropped
      QUIT       Ctrl-\\: end the run at once by KILL; leaves no core file
      HUP        finish executing operations, start no others
      USR1       report on standard error what executes, where and for how long,
                 and how far the run is; the run continues
      TSTP       Ctrl-Z: stop opool and all commands until CONT; ignored without a
                 shell that could continue them
    INT, HUP, QUIT, USR1 and TSTP stay ignored where the caller ignores them, as
    nohup does with HUP, and a script with INT and QUIT of what it starts in the
    background.
    """

  static let exitCodes = """
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
}
