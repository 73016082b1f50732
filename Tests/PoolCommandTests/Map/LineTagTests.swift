import PoolCommand
import Testing

@testable import PoolInputs

/// What lines of outputs begin with.
@Suite("Tags of lines")
struct LineTagTests {
  private func tag(
    _ text: String,
    _ fields: [String] = ["dir/a.txt"],
    number: Int = 7
  ) throws -> String {
    let layout = FieldLayout(count: fields.count)
    let tag = try LineTag.literal(Array(text.utf8)).withPlaceholders(layout)
    let input = TemplateInput(fields.map { Array($0.utf8) }, number: number)
    return String(decoding: tag.bytes(input), as: UTF8.self)
  }

  @Test("Placeholders stand for what they stand for in commands, without quotes")
  func placeholders() throws {
    #expect(try tag("{#}:{/.} <{}>") == "7:a <dir/a.txt>")
    #expect(try tag("{2}{1}", ["a b", "'c'"]) == "'c'a b")
    #expect(try tag("{}", ["a", "b"]) == "a b")
    #expect(try tag("plain") == "plain")
    #expect(try tag("") == "")
  }

  @Test("The input's fields are joined by a blank; a text is only text without placeholders")
  func others() {
    let input = TemplateInput([Array("a".utf8), [0xFF]], number: 1)
    #expect(LineTag.input.bytes(input) == [0x61, 0x20, 0xFF])
    #expect(LineTag.literal(Array("{}".utf8)).bytes(input) == Array("{}".utf8))
  }

  @Test("A block has no input that a tag could name, but a number")
  func blocks() throws {
    let blocks = FieldLayout(lacking: .blocks)
    let number = try LineTag.literal(Array("{#}".utf8)).withPlaceholders(blocks)
    #expect(number.bytes(TemplateInput([], number: 3)) == Array("3".utf8))
    #expect(try LineTag.input.withPlaceholders(blocks) == .input)
    #expect(throws: UsageError.self) {
      try LineTag.literal(Array("{}".utf8)).withPlaceholders(blocks)
    }
  }

  @Test(
    "What is no placeholder, or has no value here, is refused",
    arguments: [
      ("{+}", "no placeholder"), ("{3}", "each execution has"), ("{%}", "only the worker"),
    ]
  )
  func refused(_ text: String, _ reason: String) {
    let error = #expect(throws: UsageError.self) { try tag(text, ["a", "b"]) }
    #expect(error?.description.contains(reason) == true)
  }
}
