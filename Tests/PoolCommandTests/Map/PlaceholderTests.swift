import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: placeholders stand for what they stand for in GNU parallel.
@Suite("Placeholders")
struct PlaceholderTests {
  /// The five parts of a path: `{}` `{.}` `{/}` `{//}` `{/.}`; from GNU parallel's definitions.
  @Test(
    "A path has these parts",
    arguments: [
      ["dir/photo.tar.gz", "dir/photo.tar", "photo.tar.gz", "dir", "photo.tar"],
      ["photo.jpg", "photo", "photo.jpg", ".", "photo"],
      ["photo", "photo", "photo", ".", "photo"],
      ["/photo.jpg", "/photo", "photo.jpg", "/", "photo"],
      ["//photo.jpg", "//photo", "photo.jpg", "/", "photo"],
      ["a.b/photo", "a.b/photo", "photo", "a.b", "photo"],
      ["dir/.profile", "dir/", ".profile", "dir", ""],
      [".profile", "", ".profile", ".", ""],
      [".a.b", ".a", ".a.b", ".", ".a"],
      ["photo.", "photo.", "photo.", ".", "photo."],
      ["photo..jpg", "photo.", "photo..jpg", ".", "photo."],
      ["..", "..", "..", ".", ".."],
      ["dir/", "dir/", "", ".", ""],
      ["a/dir/", "a/dir/", "", "a", ""],
      ["a//b//", "a//b//", "", "a", ""],
      ["a//b", "a//b", "b", "a", "b"],
      ["a.b/", "a.b/", "", ".", ""],
      ["/", "/", "", "/", ""],
      ["//", "//", "", "/", ""],
      ["", "", "", ".", ""],
      ["a b/c d.e f", "a b/c d", "c d.e f", "a b", "c d"],
      ["a\nb/c.d\n", "a\nb/c", "c.d\n", "a\nb", "c"],
    ]
  )
  func parts(path: [String]) throws {
    let words = ["echo", "{}", "{.}", "{/}", "{//}", "{/.}"].map(bytes)
    let command = try Template(command: words).command(input: bytes(path[0]), number: 1)
    #expect(command == CommandPayload(.run([bytes("echo")] + path.map(bytes))))
  }

  /// As GNU parallel shows them with `--plus --dry-run`, in this order: `{..}` `{...}` `{/..}`
  /// `{/...}` `{+/}` `{+.}` `{+..}` `{+...}`.
  @Test(
    "A path has these further parts",
    arguments: [
      ["d/a.b.c.d", "d/a.b", "d/a", "a.b", "a", "d", "d", "c.d", "b.c.d"],
      ["/a.b", "/a.b", "/a.b", "a.b", "a.b", "", "b", "", ""],
      ["d.e/a", "d.e/a", "d.e/a", "a", "a", "d.e", "", "", ""],
      ["a.tar.gz", "a", "a.tar.gz", "a", "a.tar.gz", "", "gz", "tar.gz", ""],
      ["x/y/", "x/y/", "x/y/", "", "", "x/y", "", "", ""],
    ]
  )
  func furtherParts(path: [String]) throws {
    let words = ["e", "{..}", "{...}", "{/..}", "{/...}", "{+/}", "{+.}", "{+..}", "{+...}"]
    let command = try Template(command: words.map(bytes)).command(input: bytes(path[0]), number: 1)
    #expect(command == CommandPayload(.run([bytes("e")] + path.dropFirst().map(bytes))))
  }

  @Test("A position names a field, from the first or from the last")
  func positions() throws {
    let fields = ["a b/c.d", "2"].map(bytes)
    func expand(_ words: String...) throws -> String {
      let template = try Template(command: words.map(bytes), fields: FieldLayout(count: 2))
      return CommandLabel.text(template.command(TemplateInput(fields, number: 7)).action)
    }
    #expect(
      try expand("e", "{2}", "{1}", "{1/.}", "{-2//}", "{-1}-{#}") == "e 2 'a b/c.d' c 'a b' 2-7"
    )
    #expect(try expand("e {2} > {1/}") == "e '2' > 'c.d'")
    #expect(try expand("e", "{}") == "e 'a b/c.d' 2")
    #expect(try expand("e", "x{}y", "{.}") == "e 'xa b/c.d' 2y 'a b/c' 2")
    #expect(try expand("e x{}y;") == "e x'a b/c.d' '2'y;")
    #expect(try expand("e \"x{}y\"") == "e \"x\"'a b/c.d'\" \"'2'\"y\"")
    #expect(try expand("e 'x{}y'") == "e 'xa b/c.d 2y'")
    #expect(try expand("e") == "e 'a b/c.d' 2")
  }

  @Test("What the last execution of a batch lacks is empty")
  func missingField() throws {
    let template = try Template(
      command: ["e", "{1}", "{3}", "{-3}"].map(bytes),
      fields: FieldLayout(count: 3)
    )
    let command = template.command(TemplateInput([bytes("a")], number: 1))
    #expect(command == CommandPayload(.run(["e", "a", "", ""].map(bytes))))
  }

  @Test("The slot is a variable of the worker, in a shell")
  func slot() throws {
    #expect(
      try expand("a", "b c", "{%}-{}", "", input: "x")
        == "exec 'a' 'b c' \"${OPOOL_SLOT}\"'-''x' ''"
    )
    #expect(
      try expand("a {%} '{%}' \"{%}\";", input: "x")
        == "a \"${OPOOL_SLOT}\" ''\"${OPOOL_SLOT}\"'' \"${OPOOL_SLOT}\";"
    )
    #expect(try expand("a $(({%} + 1)) {};", input: "x") == "a $((${OPOOL_SLOT} + 1)) 'x';")
  }

  @Test(
    "What looks like a placeholder and is none is refused",
    arguments: [
      "{##}", "{0#}", "{+}", "{./}", "{//.}", "{1//.}", "{...//}", "{= s/a/b/ =}", "{/+}", "{#.}",
      "{%%}", "{1#}", "{.#}",
    ]
  )
  func unknown(text: String) {
    for command in [["echo", "x\(text)", "{}"], ["echo \(text) {};"]] {
      let error = #expect(throws: UsageError.self) { try Template(command: command.map(bytes)) }
      #expect(error?.message == "no placeholder of opool" && error?.argument == bytes(text))
    }
  }

  @Test("A field that no input has is refused", arguments: ["{2}", "{-2}", "{2/.}", "{10}"])
  func tooFewFields(text: String) {
    let error = #expect(throws: UsageError.self) {
      try Template(command: [bytes("e"), bytes(text)])
    }
    #expect(error?.message == "each execution has 1 input" && error?.argument == bytes(text))
  }

  @Test(
    "Other text in braces stays",
    arguments: [
      "{print $1}", "{a,b}", "{1..3}", "{1,2}", "{x}", "{\"a\": 1}", "{0.5}", "{0}", "{", "{ }",
      "{1", "{-}", "a{,3}", "{1234567890123456.}", "{/x}", "{%s}",
    ]
  )
  func otherText(text: String) throws {
    let command = try Template(command: ["e", text, "{}"].map(bytes))
      .command(input: bytes("i"), number: 1)
    #expect(command == CommandPayload(.run(["e", text, "i"].map(bytes))))
  }

  private func expand(_ words: String..., input: String, number: Int = 7) throws -> String {
    let command = try Template(command: words.map(bytes)).command(
      input: bytes(input),
      number: number
    )
    return CommandLabel.text(command.action)
  }

  @Test("Several words are an argv, and inputs are put in as text")
  func words() throws {
    #expect(
      try expand("cp", "{}", "{#}-{/.}.bak", "{x}", input: "a b/c.d")
        == "cp 'a b/c.d' 7-c.bak '{x}'"
    )
    #expect(try expand("echo", "it's $HOME", "{}", input: "x") == #"echo 'it'\''s $HOME' x"#)
  }

  @Test("Without a placeholder the input is the last argument")
  func appended() throws {
    #expect(try expand("wc", "-l", input: "a b") == "wc -l 'a b'")
    #expect(try expand("wc -l", input: "a b") == "wc -l 'a b'")
    #expect(try expand("wc -l | sort", input: "a b") == "wc -l | sort 'a b'")
    #expect(try expand("wc", "{#}", input: "a") == "wc 7")
  }

  @Test("A single word without anything for a shell is split at blanks, and no shell is started")
  func direct() throws {
    let template = try Template(command: [bytes("  gzip -9\t{}.gz  a=b ")])
    let command = template.command(input: bytes("$(x) y"), number: 1)
    #expect(
      command == CommandPayload(.run(["gzip", "-9", "$(x) y.gz", "a=b"].map(bytes)))
    )
  }

  @Test(
    "A single word with something for a shell is a line for one",
    arguments: [
      ("A=1 env {}", "A=1 env 'x y'"), ("exit {#}", "exit '1'"), ("cd {}", "cd 'x y'"),
      ("ls {} *", "ls 'x y' *"), ("ls ~/{}", "ls ~/'x y'"), ("a {} > b", "a 'x y' > b"),
      ("echo \"{}\"", "echo \"\"'x y'\"\""), ("echo '{}'", "echo 'x y'"),
      ("echo \"a $(b \"{}\") c\"", "echo \"a $(b \"\"'x y'\"\") c\""),
    ]
  )
  func shell(line: String, filled: String) throws {
    let command = try Template(command: [bytes(line)]).command(input: bytes("x y"), number: 1)
    #expect(command == CommandPayload(.shell(bytes(filled))))
  }

  @Test(
    "A place where nothing can be quoted safely is refused",
    arguments: [
      ("echo `{}`", "after a backquote"), ("echo `date` {}", "after a backquote"),
      ("cat <<X\n{}\nX", "after a '<<'"), ("cat <<< {}", "after a '<<'"),
      ("echo # {}", "in a comment"), ("ls; # it's {}", "in a comment"),
      ("echo \\{}", "after a backslash"), ("echo \"\\{}\"", "after a backslash"),
      ("echo ${}", "after a '$'"), ("echo \"${#}\"", "after a '$'"),
      ("echo ${x{}}", "inside '${…}'"),
      ("echo ${x:-{}}", "after a '${' with more than a name"),
      ("echo \"${x:-'}\" {}", "after a '${' with more than a name"),
      ("echo $(({} + 1))", "after a '(('"), ("(({} > 1))", "after a '(('"),
      ("x=({})", "after a '(' inside a word"), ("f() { echo {}; }", "after a '(' inside a word"),
      ("echo $[{}]", "after a '$['"), ("echo $'a' {}", "after a \"$'\""),
      ("echo \\\n {}", "after a continued line"),
      ("echo $(case a in a) echo {};; esac)", "after a '$(' in a line with a 'case'"),
      ("echo $(ls # it's\n) {}", "after a comment inside '$('"),
      ("alias q=\"'\"\nq {}", "in lines with an 'alias'"),
    ]
  )
  func refusals(line: String, reason: String) {
    let error = #expect(throws: UsageError.self) { try Template(command: [bytes(line)]) }
    #expect(error?.message.hasSuffix(reason + " cannot be quoted safely") == true, "\(line)")
    #expect(error?.topic == .map)
  }

  @Test(
    "A line that cannot be right is refused before anything is executed",
    arguments: [
      ("", "the command is empty"), (" \t", "the command is empty"),
      ("echo 'a {}", "the command has a quote that does not end"),
      ("echo \"{}", "the command has a quote that does not end"),
      ("echo $(ls {}", "the command has a '$(' or '${' that does not end"),
      ("echo {} \\", "the command has a backslash at its end"),
      ("echo \\", "the command has a backslash at its end"),
      ("echo a;", "the input would become a command of its own"),
      ("sort |", "the input would become a command of its own"),
    ]
  )
  func unfinished(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try Template(command: [bytes(line)]) }
    #expect(error?.message == message)
  }
}
