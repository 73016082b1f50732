/// What `-h` prints: the options that everyday jobs need, on one screen of 24 lines.
package enum ShortHelp {
  /// An option, what it does, and a command line that uses it.
  struct Row {
    let label: String
    let meaning: String
    let example: String

    init(_ label: String, _ meaning: String, _ example: String) {
      (self.label, self.meaning, self.example) = (label, meaning, example)
    }
  }

  static let rows = [
    Row("-j N", "so many at once", "opool map -j4 gzip -9 ::: *.log"),
    Row("-0", "NUL ends inputs", "find . -print0 | opool map -0 md5sum"),
    Row("-a FILE", "inputs in a file", "opool map -a urls.txt curl -sSO"),
    Row("-k", "outputs in order", "opool map -k convert {} {.}.jpg ::: *.png"),
    Row("--tag", "name the input", "opool map --tag 'wc -l < {}' ::: *.csv"),
    Row("--pipe, --block", "blocks of stdin", "opool map --pipe --block 10M wc -l < log"),
    Row("--results NAME", "file, or folder/", "opool map --results out/ ./fit ::: 1 2"),
    Row("--joblog FILE", "times and codes", "opool map --joblog log ./fit ::: *.csv"),
    Row("--retries N", "try again", "opool map --retries 3 -a urls.txt curl -sSO"),
    Row("--timeout T", "for each attempt", "opool map --timeout 60 ./fit ::: *.csv"),
    Row("--deadline T", "for the run", "opool run --deadline 30m build.jsonl"),
    Row("--halt WHEN", "end early", "opool run --halt now,fail=1 build.jsonl"),
    Row("--dry-run", "check, plan only", "opool run --dry-run build.jsonl"),
    Row("--journal FILE", "keep outcomes", "opool run --journal j build.jsonl"),
    Row("--resume", "execute the rest", "opool run --journal j --resume build.jsonl"),
    Row("--rerun ID", "once more", "opool run --journal j --rerun a build.jsonl"),
    Row("-S HOST,HOST", "by ssh", "opool run -S 8/box,me@pc,: build.jsonl"),
    Row("", "your own worker", "opool run --worker '2:./model.py' in.jsonl"),
    Row("--progress", "also with a pipe", "opool map --progress ./fit ::: * | tee log"),
    Row("--events FILE", "what happened", "opool run --events e.jsonl build.jsonl"),
  ]

  /// The text, with the last line's end; every line is shorter than 80 columns.
  package static let text = """
    opool map [OPTION]… COMMAND… ::: INPUT…   one command for each input
    opool run [OPTION]… FILE                  a graph of commands (JSON Lines)
    \(rows.map(line).joined(separator: "\n"))
    All of it: opool run|map|journal --help, man opool. This machine: opool doctor

    """

  private static func line(_ row: Row) -> String {
    padded(padded("  " + row.label, to: 18) + row.meaning, to: 35) + row.example
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 1))
  }
}
