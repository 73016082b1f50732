import PoolWire
import Testing

@testable import PoolCommand

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
      ("cat <<X\n{}\nX", "after a here-document"), ("cat <<< {}", "after a here-document"),
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

/// Contract: inputs are told apart byte for byte.
@Suite("Inputs")
struct MapInputTests {
  private func all(_ inputs: MapInputs) -> [String] {
    (0..<inputs.count).map { String(decoding: inputs[$0], as: UTF8.self) }
  }

  @Test("Lines are inputs, empty ones too, and the last one needs no line feed")
  func lines() throws {
    #expect(try MapInputs(lines: []).count == 0)
    #expect(all(try MapInputs(lines: bytes("a\n\nb c\r\n"))) == ["a", "", "b c\r"])
    #expect(all(try MapInputs(lines: bytes("\na\nb"))) == ["", "a", "b"])
    #expect(all(try MapInputs(lines: bytes("\n"))) == [""])
  }

  @Test("Arguments are inputs, whatever is in them")
  func arguments() {
    #expect(MapInputs(arguments: []).count == 0)
    #expect(all(MapInputs(arguments: ["", "a\nb", "", "c"].map(bytes))) == ["", "a\nb", "", "c"])
    #expect(MapInputs(arguments: [[0xFF]])[0] == [0xFF])
  }

  @Test("A NUL is an error that names the input")
  func zero() {
    let error = #expect(throws: UsageError.self) { try MapInputs(lines: bytes("a\nb\0c\n")) }
    #expect(error?.message == "line 2: it contains a NUL, which no argument can hold")
  }

  @Test("A line over the limit is an error that names it, and those before it are inputs")
  func longLine() throws {
    #expect(all(try MapInputs(lines: bytes("a\nabc\n"), lengthLimit: 3)) == ["a", "abc"])
    for text in ["a\nabcd", "a\nabcd\n"] {
      var inputs = MapInputs(lengthLimit: 3)
      let error = #expect(throws: UsageError.self) {
        try bytes(text).withUnsafeBytes { try inputs.append($0) }
      }
      #expect(error?.message == "line 2: it has more than 3 bytes, which no argument can hold")
      #expect(all(inputs) == ["a"])
    }
  }

  @Test("The text of inputs that are not needed any more is freed, and no other")
  func release() throws {
    let line = String(repeating: "x", count: 40_000)
    var inputs = try MapInputs(lines: bytes((0..<20).map { "\($0)\(line)\n" }.joined()))
    let kept = 7
    for index in 0..<20 where index != kept { inputs.release(index) }
    #expect(inputs.byteCount < 100_000)
    #expect(String(decoding: inputs[kept], as: UTF8.self) == "\(kept)\(line)")
    #expect(inputs.length(of: 0) == 40_001)
    inputs.release(kept)
    #expect(inputs.byteCount == 0)
    #expect(inputs.count == 20)
  }

  @Test("Inputs that are freed before their block is full are freed with it")
  func earlyRelease() throws {
    var inputs = MapInputs()
    for _ in 0..<10 {
      let line = [UInt8](repeating: 0x78, count: 20_000) + [0x0A]
      try line.withUnsafeBytes { try inputs.append($0) }
      inputs.release(inputs.count - 1)
    }
    #expect(inputs.byteCount <= 80_000)
  }
}
