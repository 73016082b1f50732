import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: with -X, -N and -L, a word with an input is repeated for each further one, and nothing
/// around it.
@Suite("Repeated words")
struct RepeatedWordTests {
  private func expand(_ words: [String], shell: String? = nil) throws -> String {
    var layout = FieldLayout(count: 2)
    layout.repeatsWords = true
    let template = try Template(
      command: words.map(bytes),
      shell: shell.map(bytes),
      fields: layout
    )
    let command = template.command(TemplateInput(["d/1.x", "2 z.y"].map(bytes), number: 7))
    switch command.action {
    case .run(let words): return words.map { "<\(String(decoding: $0, as: UTF8.self))>" }.joined()
    case .shell(let text): return String(decoding: text, as: UTF8.self)
    }
  }

  @Test("Among words")
  func words() throws {
    #expect(try expand(["e"]) == "<e><d/1.x><2 z.y>")
    #expect(try expand(["e", "a{}b", "c"]) == "<e><ad/1.xb><a2 z.yb><c>")
    #expect(try expand(["e", "{.}:{/}-{#}"]) == "<e><d/1:1.x-7><2 z:2 z.y-7>")
    #expect(try expand(["e", "{1}-{2}"]) == "<e><d/1.x-2 z.y>")
    #expect(try expand(["e", "{}={2}"]) == "<e><d/1.x=2 z.y><2 z.y=2 z.y>")
    let line = try expand(["e", "x y{}"], shell: "bash")
    #expect(line == "<bash><-c><'e' 'x y''d/1.x' 'x y''2 z.y'>")
  }

  @Test("In a line, where blanks and signs of the grammar end words, and quotes do not")
  func lines() throws {
    #expect(try expand(["e a{}b;f"]) == "e a'd/1.x'b a'2 z.y'b;f")
    #expect(try expand(["e \"c d{}\"x|f"]) == "e \"c d\"'d/1.x'\"\"x \"c d\"'2 z.y'\"\"x|f")
    #expect(try expand(["e '<{}>' >o"]) == "e '<d/1.x>' '<2 z.y>' >o")
    #expect(try expand(["(e {})"]) == "(e 'd/1.x' '2 z.y')")
    #expect(
      try expand(["e $(f {}) \"$(g {})\""])
        == "e $(f 'd/1.x' '2 z.y') \"$(g 'd/1.x' '2 z.y')\""
    )
    #expect(try expand(["e ${V}{} $X"]) == "e ${V}'d/1.x' ${V}'2 z.y' $X")
    #expect(try expand(["e a\\ {}"]) == "e a\\ 'd/1.x' a\\ '2 z.y'")
  }

  @Test(
    "A word that goes on around a substitution is refused",
    arguments: [
      "e {}$(f)", "e $(f){}", "e \"{} $(f)\"", "e \"$(f) {}\"", "e \"$(f)\"{}", "e {}`f`",
    ]
  )
  func refusals(line: String) throws {
    let error = #expect(throws: UsageError.self) { try expand([line]) }
    #expect(error?.message.contains("cannot be repeated for each input") == true)
    // Where nothing is repeated, it is a word like others.
    _ = try Template(command: [bytes(line)], fields: FieldLayout(count: 2))
  }
}
