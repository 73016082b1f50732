/// Options of GNU parallel, xargs, make and ninja that opool does not have, and what does the same.
struct OtherToolOption {
  /// As it is typed.
  var spellings: [String]
  /// What to write instead.
  var hint: String

  private init(_ spellings: String..., hint: String) {
    (self.spellings, self.hint) = (spellings, hint)
  }

  /// The option to use instead of an unknown one; nil if none of these programs has it.
  static func hint(for name: String) -> String? {
    all.first { $0.spellings.contains { Self.isWritten($0, name) } }?.hint
  }

  /// A letter may have its value behind it, as in `-I{}` and `-P4`.
  private static func isWritten(_ spelling: String, _ name: String) -> Bool {
    name == spelling
      || spelling.utf8.count == 2 && name.hasPrefix(spelling) && !name.hasPrefix("--")
  }

  static let all: [Self] = [
    Self("-i", "--replace", hint: "write -I R, or {} in the command, which needs no option"),
    Self("-P", "--max-procs", hint: "write -j N"),
    Self("--slf", "--sshloginfile", hint: "write --hosts FILE"),
    Self("-l", "--max-load", hint: "write --load N for a load average, -L N for lines"),
    Self("-r", "--no-run-if-empty", hint: "leave it out: without inputs nothing is executed"),
    Self("-t", hint: "write -v"),
    Self("-x", "--exit", hint: "leave it out: a command that is too long is an error"),
    Self("--xargs", hint: "write -X or -m"),
    Self("--fail-fast", "--failfast", hint: "write --halt now,fail=1"),
    Self("--rate", hint: "write --delay TIME: 0.2 is 5 a second"),
    Self("--limit", hint: "write --load N or --memfree SIZE"),
    Self("--retry", hint: "write --retries N"),
    Self("--files", "--output-as-files", hint: "write --results DIR/"),
    Self("--workdir", "--directory", hint: "write --wd DIR"),
    Self("--retry-failed", hint: "write --journal FILE --resume-failed"),
    Self("--spreadstdin", hint: "write --pipe"),
    Self("--tempdir", hint: "write --tmpdir DIR"),
    Self("--skip-first-line", hint: "leave the line out before opool, as with tail -n +2"),
    Self("-o", "--open-tty", "--tty", hint: "commands can open /dev/tty themselves"),
    Self("--seqreplace", hint: "write {#} in the command; it needs no option"),
    Self("--slotreplace", hint: "write {%} in the command; it needs no option"),
    Self("--show-limits", "--max-line-length-allowed", hint: "'opool doctor' shows limits"),
    Self("--process-slot-var", hint: "leave it out: OPOOL_SLOT is in the environment, and {%}"),
    Self("--force", "--always-make", hint: "leave --resume out, or give another --journal"),
    Self("-E", "-e", "--eof", hint: "end the inputs before opool, as with sed '/^END$/Q'"),
    Self("-p", "--interactive", hint: "choose the inputs before opool, as with fzf -m"),
    Self("--link", "--xapply", hint: "write :::+ or ::::+ before the source"),
    Self("--arg-sep", "--arg-file-sep", hint: "write ::: and ::::"),
    Self("--bar", "--eta", hint: "write --progress"),
    Self("--csv", hint: "write --colsep , for columns without quotes; others need a program"),
    Self("--trim", hint: "columns lose the blanks around them; other inputs stay as they are"),
    Self("--plus", hint: "leave it out: {..}, {+/} and others need no option"),
    Self(
      "--rpl",
      hint: "write an expression of the shell, such as \"${1%.c}\" with sh -c '…' sh {}"
    ),
    Self("--quote", "--shellquote", hint: "leave it out: words and inputs are quoted always"),
    Self("--will-cite", "--citation", "--no-notice", hint: "leave it out"),
    Self("--group", hint: "leave it out: outputs are grouped"),
    Self("--halt-on-error", hint: "write --halt WHEN"),
    Self("--memsuspend", "--noswap", hint: "write --memfree SIZE"),
    Self("--termseq", hint: "write --term-seq STEPS"),
    Self("--round-robin", "--roundrobin", hint: "leave it out: each block has its own command"),
    Self("--cat", "--fifo", hint: "read standard input, or write sh -c 'cat > FILE; …'"),
    Self(
      "--tee",
      "--bin",
      "--groupby",
      hint: "each block goes to one command, in order"
    ),
    Self(
      "--semaphore",
      "--id",
      "--fg",
      "--bg",
      hint: "use flock(1), or 'opool run' with the fields exclusive and limit"
    ),
    Self("--compress", hint: "outputs are kept as they are, in TMPDIR"),
    Self(
      "--transferfile",
      "--return",
      "--cleanup",
      "--trc",
      "--basefile",
      hint: "use a shared folder, or rsync in the command"
    ),
    Self("--nonall", "--onall", hint: "write opool map ssh {} COMMAND ::: HOST…"),
    Self("--keep-going", hint: "leave it out: a failure stops only its dependents"),
  ]
}
