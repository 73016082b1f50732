import Testing

@testable import PoolCommand

/// Contract: sources of inputs are written as in GNU parallel.
@Suite("Arguments for inputs")
struct InputArgumentTests {
  private func inputs(_ words: String...) throws -> InputOptions {
    guard case .map(let options) = try Invocation(arguments: (["map"] + words).map(bytes)) else {
      throw UsageError("not a map")
    }
    return options.inputs
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
      ([":::", "a"], "no command"), (["-n", "0", "e"], "--max-args needs a whole number"),
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
    #expect(try inputs("-n", "3", "echo").batchSize == 3)
    #expect(try inputs("-n3", "-k", "echo").fieldCount == 3)
    #expect(try inputs("-n2", "echo", ":::", "a", ":::", "b").fieldCount == 4)
    guard case .run(let options) = try Invocation(arguments: ["run", "-n"].map(bytes)) else {
      throw UsageError("not a run")
    }
    #expect(options.shared.isDryRun)
  }
}
