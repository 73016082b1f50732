import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: with -I, one text stands for the input, and braces for themselves.
@Suite("-I")
struct ReplacementTests {
  private func template(
    _ command: String...,
    replacing text: String,
    shell: String? = nil
  ) throws -> Template {
    var fields = FieldLayout()
    fields.replacement = bytes(text)
    return try Template(command: command.map(bytes), shell: shell.map(bytes), fields: fields)
  }

  private func words(_ template: Template, _ inputs: String...) -> CommandPayload {
    template.command(TemplateInput(inputs.map(bytes), number: 1))
  }

  @Test("The text is the input, in words and within them; all braces stay")
  func words() throws {
    let template = try template(
      "a",
      "x%y%",
      "{}",
      "{1}",
      "{{.Name}}",
      "{#}",
      "{=x=}",
      replacing: "%"
    )
    #expect(
      words(template, "i j")
        == CommandPayload(
          .run(["a", "xi jyi j", "{}", "{1}", "{{.Name}}", "{#}", "{=x=}"].map(bytes))
        )
    )
  }

  @Test("In a line each one is quoted as {} is")
  func line() throws {
    let template = try template("cp FILE \"to/FILE\" && echo '{}'", replacing: "FILE")
    #expect(
      words(template, "a'b")
        == CommandPayload(.shell(bytes(#"cp 'a'\''b' "to/"'a'\''b'"" && echo '{}'"#)))
    )
  }

  @Test("{} given as the text leaves all other braces as they are")
  func braces() throws {
    let template = try template("e", "{}", "{.}", "{/}", "[0-9]{1}", replacing: "{}")
    #expect(
      words(template, "d/a.b")
        == CommandPayload(.run(["e", "d/a.b", "{.}", "{/}", "[0-9]{1}"].map(bytes)))
    )
  }

  @Test("Without it in the command, the input is the last argument")
  func appended() throws {
    #expect(
      words(try template("echo", "{}", replacing: "%"), "a")
        == CommandPayload(.run(["echo", "{}", "a"].map(bytes)))
    )
    #expect(
      words(try template("echo {} | cat", replacing: "%"), "a")
        == CommandPayload(.shell(bytes("echo {} | cat 'a'")))
    )
  }

  @Test("Several inputs are a word each")
  func several() throws {
    let template = try template("echo", "%", replacing: "%")
    #expect(words(template, "a", "b") == CommandPayload(.run(["echo", "a", "b"].map(bytes))))
  }

  @Test("A place that cannot be quoted is refused by the name of the text")
  func refused() {
    let error = #expect(throws: UsageError.self) {
      try template("echo $NAME", replacing: "NAME")
    }
    #expect(error?.message == "NAME after a '$' cannot be quoted safely")
  }

  @Test(
    "A number in braces behind what a regular expression repeats is refused, with what to write",
    arguments: ["^[0-9]{1}$", "(ab){1}", #"\d{1}"#, "grep -E '[ab]{1}' {}", "{{.}}"]
  )
  func repetition(word: String) {
    let error = #expect(throws: UsageError.self) {
      try Template(command: [bytes("e"), bytes(word)])
    }
    #expect(error?.message.hasSuffix("stands for an input here, not for itself") == true)
    #expect(error?.hint == "write -I R: then R stands for the input, and braces for themselves")
  }

  @Test(
    "Elsewhere a number in braces is an input, and names in double braces are text",
    arguments: [
      ("out{1}.png", "outi.png"), ("{1}", "i"), (#"\{1}"#, #"\i"#), ("d{1}", "di"), ("]{.}", "]i"),
      ("{{.Name}}", "{{.Name}}"), ("{{json .}}", "{{json .}}"), ("{{}}", "{i}"),
      ("[0-9]{2,3}", "[0-9]{2,3}"),
    ]
  )
  func notRepetition(word: String, filled: String) throws {
    let template = try Template(command: [bytes("e"), bytes(word), bytes("{}")])
    #expect(
      template.command(input: bytes("i"), number: 1)
        == CommandPayload(.run(["e", filled, "i"].map(bytes)))
    )
  }

  @Test("A tag has the text, too")
  func tag() throws {
    var fields = FieldLayout()
    fields.replacement = bytes("%")
    let tag = try LineTag.literal(bytes("{}%")).withPlaceholders(fields)
    #expect(tag.bytes(TemplateInput([bytes("a")], number: 1)) == bytes("{}a"))
  }

  @Test("The option takes any text but an empty one, joined or not")
  func option() throws {
    func replacement(_ words: String...) throws -> [UInt8]? {
      guard case .map(let options) = try Invocation(arguments: (["map"] + words).map(bytes))
      else { return nil }
      return options.inputs.replacement
    }
    #expect(try replacement("-I", "%", "echo") == bytes("%"))
    #expect(try replacement("-I{}", "echo") == bytes("{}"))
    #expect(try replacement("echo") == nil)
    #expect(throws: UsageError.self) { try replacement("-I", "", "echo") }
  }
}
