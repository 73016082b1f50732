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
      id        string: unique name (the line number)
      run       array of strings: a program, found on PATH, and its arguments
      shell     string: a line for /bin/sh -c
      kind      string: for a worker that serves this kind (see --worker)
      payload   any JSON: input for the kind (null)
      after     array of ids, or of {"id": …, "when": …}: what must end first; when
                is succeeded (default), finished, failed or cancelled
      priority  veryLow, low, normal, high, veryHigh or an integer (normal)
      qos       userInteractive, userInitiated, utility, background, default
      timeout   number: seconds of execution for each attempt (none)
      retries   integer: extra attempts after the first (0)
      cwd       string: folder to execute in, relative to the current one
      env       object of strings: added to the environment
      stdin     string: text given to the command (empty)
      name      string: for people (the id)
      exclusive string or array of strings: categories; no two operations that
                share one execute at once
      limit     object of integers, such as {"net": 2}: at most 2 operations that
                name net execute at once; all lines must give it the same number
      slots     integer: how many of the -j places it takes (1); at most all
      barrier   boolean: whether it starts when all lines before it have ended,
                and all lines after it wait for it (false)
      group     string: a group to be a member of; an after may name it, and waits
                for all members; it succeeded if they all did, was cancelled or
                skipped if nothing else is amiss, and failed otherwise
      inputs    object of ids, such as {"x": "fetch"}: outputs given to the kind
                beside its payload, or to the command as files, here the one that
                $OPOOL_INPUT_x names; those operations must succeed
      expected  number: seconds that it will likely take, for --order critical-path
      termSeq   string such as "TERM,500,KILL": how it is made to end (--term-seq)
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

  private static let options = """
    Options:
      -j N                   operations that execute at once, 1 to 10000 (cores:
                             those that opool may run on, or as many as its
                             cgroup's quota keeps busy, where that is less)
      -k, --keep-order       print outputs in the order of the input
          --order ORDER      what comes first in one priority: submission, or
                             critical-path, the most work ahead: its own time and
                             the longest chain that waits for it (submission)
          --history FILE     the journal of an earlier run, which knows how long
                             operations take, for --order critical-path; those it
                             does not know count as expected, or as the mean
      -n, --dry-run          check and plan only; with -q only the verdict
          --retries N        extra attempts, where an operation does not say (0)
          --retry-on CAUSES  make them only after these, separated by commas: exit,
                             signal, error, spawn, timeout, workerDied, violation
                             (all)
          --retry-delay S    seconds before the first extra attempt, doubled for
                             each further one, up to an hour (0)
          --timeout S        seconds of execution for each attempt, where an
                             operation does not say (none); or, as 200%, a share
                             of the median of the executions that succeeded, once
                             there are three
          --deadline S       seconds for the whole run, with the wait for its
                             manifest; then all is made to end, and the exit
                             code is 124 (none)
          --term-seq STEPS   how operations are made to end, where one does not
                             say: MESSAGE (ask, where it can be asked), signals,
                             KILL last, and milliseconds between the steps
                             (MESSAGE,2000,TERM,1000,KILL)
          --heartbeat S      a worker that executes and says nothing for so many
                             seconds is asked, and killed after as many again
                             (10, then 30); one that stops within a frame is
                             killed after S seconds (10)
          --chaos RATES      make faults on purpose, to see what a run survives:
                             kill, stop or garble a worker at so many executions,
                             fail so many spawns, such as
                             kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%
          --seed N           the number that the faults follow from (0)
          --results FILE     write a JSON line for each operation that ended; - is
                             the standard output
          --worker N:COMMAND N workers started by COMMAND; may be repeated.
                             Where all have greeted, and none serves commands,
                             those are executed by standard workers beside them
          --journal FILE     keep each outcome in a journal, which must be new
          --resume           continue a journal: execute what it does not know
          --resume-failed    likewise, and again what did not succeed
          --salvage          continue a damaged journal without what is unreadable
          --durability WHEN  when outcomes are on the disk: none, 50ms, operation
      -q, --quiet            print nothing about the run but errors
      -v, --verbose          say what happens
          --progress         keep a line that says how far the run is: the default
                             where the standard error is the terminal that opool
                             has in the foreground, TERM is not dumb, and the
                             standard output is no pipe (to a pager, which would
                             use the terminal, too); with --progress also with a
                             pipe, as in opool … | tee log, or with -q; 5/12+ and
                             1:30+ mean that it may be more
          --no-progress      keep none
      -h, --help             print this text
          --version          print the version
    """

  private static let results = """
    Results: a line of JSON for each operation, in the order of ending, with all of
    id, name, group (that it is a member of), members (null), outcome, cause, exit,
    signal, attempt, worker, queued, started, finished (seconds of the run), usage,
    stepsTaken (how it was made to end: each step, and at which second of the run),
    stdout and stderr (64 KiB at most), stdoutBytes, stderrBytes, result, message;
    null where there is none: a command that succeeded has exit 0, one that was
    cancelled and exited by itself has its code, and one that was killed or not
    started has null; and resumed, whether a journal has said it. A group has a
    line, too, with its name as the id, and its number of
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
