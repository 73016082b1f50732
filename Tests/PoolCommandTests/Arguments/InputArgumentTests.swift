import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: sources of inputs are written as in GNU parallel.
@Suite("Arguments for inputs")
struct InputArgumentTests {
  private func inputs(_ words: String...) throws -> InputOptions {
    guard case .map(let options) = try Invocation(arguments: (["map"] + words).map(bytes)) else {
      throw UsageError("not a map")
    }
    return options.inputs
  }

  private func layout(_ words: String...) throws -> FieldLayout {
    guard case .map(let options) = try Invocation(arguments: (["map"] + words).map(bytes)) else {
      throw UsageError("not a map")
    }
    return options.inputs.layout(names: ColumnNames())
  }

  private func source(_ words: String..., isLinked: Bool = false) -> InputSource {
    InputSource(.arguments(words.map(bytes)), isLinked: isLinked)
  }

  @Test("Each separator begins a source, each file is one")
  func sources() throws {
    #expect(try inputs("echo").sources == [])
    #expect(try inputs("echo", ":::").sources == [source()])
    #expect(
      try inputs("echo", ":::", "a", "-k", ":::", "b").sources == [source("a", "-k"), source("b")]
    )
    #expect(
      try inputs("echo", ":::", "a", ":::+", "b", "::::", "f", "-", "::::+", "g").sources
        == [
          source("a"), source("b", isLinked: true), InputSource(.file(bytes("f"))),
          InputSource(.standardInput), InputSource(.file(bytes("g")), isLinked: true),
        ]
    )
    #expect(
      try inputs("-a", "f", "-a-", "echo", ":::", "x").sources
        == [InputSource(.file(bytes("f"))), InputSource(.standardInput), source("x")]
    )
  }

  @Test(
    "A delimiter is one byte",
    arguments: [
      (",", 0x2C), ("\\n", 0x0A), ("\\t", 0x09), ("\\r", 0x0D), ("\\0", 0), ("\\\\", 0x5C),
      ("\\x1f", 0x1F), ("\\xFF", 0xFF), ("x", 0x78),
    ] as [(String, UInt8)]
  )
  func delimiters(text: String, byte: UInt8) throws {
    #expect(try inputs("-d", text, "echo").delimiter == byte)
    #expect(try inputs("--delimiter=\(text)", "echo").delimiter == byte)
  }

  @Test("NULs, and line feeds without an option")
  func null() throws {
    #expect(try inputs("-0", "echo").delimiter == 0)
    #expect(try inputs("-0k", "echo").delimiter == 0)
    #expect(try inputs("--null", "echo").delimiter == 0)
    #expect(try inputs("echo").delimiter == 0x0A)
  }

  @Test(
    "What makes no sense is refused",
    arguments: [
      (["-d", "ab", "echo"], "-delimiter needs one byte"), (["-d", "", "e"], "needs one byte"),
      (["-d", "\\x", "e"], "needs one byte"), (["-d", "\\x123", "e"], "needs one byte"),
      (["-d", "é", "e"], "needs one byte"), (["-a", "", "e"], "needs the name of a file"),
      (["e", "::::"], "'::::' needs the name of a file"),
      (["e", "::::", "a", "::::+"], "'::::+' needs the name of a file"),
      (["e", "::::", ""], "the name of a file with inputs is empty"),
      (["e", ":::+", "a"], "the first source has none before it"),
      (["e", "::::+", "a"], "the first source has none before it"),
      (["-a", "-", "e", "::::", "-"], "the standard input can be only one of the sources"),
      ([":::", "a"], "no command"), (["-n", "-1", "e"], "--max-args needs a whole number"),
      (["-n", "echo", "e"], "--max-args needs a whole number"),
      (["-n"], "--max-args needs a value"),
    ] as [([String], String)]
  )
  func refusals(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try Invocation(arguments: (["map"] + words).map(bytes))
    }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test("The batch is a number of inputs in map, and the plan in run")
  func letterN() throws {
    #expect(try inputs("-n", "3", "echo").batch.count == 3)
    #expect(try layout("-n3", "-k", "echo").count == 3)
    #expect(try layout("-n2", "echo", ":::", "a", ":::", "b").count == 4)
    guard case .run(let options) = try Invocation(arguments: ["run", "-n"].map(bytes)) else {
      throw UsageError("not a run")
    }
    #expect(options.shared.isDryRun)
  }

  @Test("Each way to put inputs together")
  func batches() throws {
    let plain = try inputs("echo").batch
    #expect(plain.count == 1 && !plain.fills && !plain.repeatsWords && !plain.joinsLines)
    let replaced = try inputs("-N2", "echo").batch
    #expect(replaced.count == 2 && !replaced.fills && replaced.repeatsWords)
    let lines = try inputs("-L", "2", "echo").batch
    #expect(lines.count == 2 && lines.repeatsWords && lines.joinsLines)
    let filled = try inputs("-X", "echo").batch
    #expect(filled.count == nil && filled.fills && filled.repeatsWords)
    #expect(filled.effectiveByteLimit == 131_071)
    var narrow = filled
    narrow.room = 100_000
    #expect(narrow.effectiveByteLimit == 20_000)
    let plainly = try inputs("-m", "-n", "9", "-s", "100", "echo").batch
    #expect(plainly.count == 9 && plainly.fills && !plainly.repeatsWords)
    #expect(plainly.effectiveByteLimit == 100)
    #expect(try !inputs("-m", "-N", "9", "echo").batch.repeatsWords)
    #expect(try inputs("-n", "5", "echo").batch.effectiveByteLimit == nil)
    #expect(try layout("-n", "0", "echo").lack == .countOnly)
    #expect(try layout("-X", "echo").count == nil && !layout("-X", "echo").hasPositions)
    #expect(try layout("-C", ",", "echo").count == nil && layout("-C", ",", "echo").hasPositions)
  }

  @Test(
    "Batches and columns that exclude each other",
    arguments: [
      (["-n", "2", "-N", "2", "e"], "-n and -N are two sizes of a batch"),
      (["-L", "2", "-N", "2", "e"], "-L and -N are two sizes of a batch"),
      (["-X", "-m", "e"], "-X and -m treat the text around {} differently"),
      (["-X", "-n0", "e"], "a command without inputs cannot be filled with them"),
      (["-L", "1", "e", ":::", "a", ":::", "b"], "-L counts the lines of one source"),
      (["-L", "0", "e"], "--max-lines needs a whole number from 1"),
      (["-s", "131072", "e"], "--max-chars needs a whole number from 1 to 131071"),
      (["-C", "", "e"], "--colsep needs a regular expression: it is empty"),
      (["-C", "a*", "e"], "--colsep needs a regular expression: it matches an empty text"),
      (["-C", "(", "e"], "--colsep needs a regular expression: Unmatched ("),
      (["--header", "1", "e"], "--header knows only ':'"),
      (["--pipe", "-n", "2", "e"], "-n is for inputs, not for blocks"),
      (["--pipe", "-X", "e"], "-X is for inputs, not for blocks"),
      (["--pipe", "-m", "e"], "-m is for inputs, not for blocks"),
      (["--pipe", "-L2", "e"], "-L is for inputs, not for blocks"),
      (["--pipe", "-s", "2", "e"], "-s is for inputs, not for blocks"),
      (["--pipe", "-C,", "e"], "blocks are not cut into columns"),
      (["--pipe", "--header", ":", "e"], "blocks are not cut into columns"),
      (["--pipe", "-N0", "e"], "a block has at least one record"),
    ] as [([String], String)]
  )
  func batchRefusals(words: [String], message: String) {
    refusals(words: words, message: message)
  }
}
