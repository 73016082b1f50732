import PoolTestSupport
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: every input is in one batch, in order, and no command is longer than it may be.
@Suite("Batches of inputs")
struct InputBatcherTests {
  /// The batches of inputs, each with blanks between its fields.
  private func batches(
    _ inputs: [String],
    _ rule: BatchRule,
    of words: [String] = ["e"],
    slots: Int = 1
  ) throws -> [String] {
    var layout = FieldLayout(count: nil)
    layout.repeatsWords = rule.repeatsWords
    let template = try Template(command: words.map(bytes), fields: layout)
    var batcher = InputBatcher(rule)
    (batcher.size, batcher.slotCount) = (template.size, slots)
    var batches: [[[UInt8]]] = []
    for input in inputs { if let batch = try batcher.add([bytes(input)]) { batches.append(batch) } }
    batches += batcher.end()
    return batches.map { String(decoding: Array($0.joined(separator: bytes(" "))), as: UTF8.self) }
  }

  private func rule(count: Int? = nil, fills: Bool = false, bytes: Int? = nil) -> BatchRule {
    var rule = BatchRule()
    (rule.count, rule.fills, rule.byteLimit) = (count, fills, bytes)
    return rule
  }

  @Test("A count ends a batch, and the last one has the rest")
  func counts() throws {
    let inputs = (1...5).map(String.init)
    #expect(try batches(inputs, rule(count: 1)) == inputs)
    #expect(try batches(inputs, rule(count: 0)) == inputs)
    #expect(try batches(inputs, rule(count: 2)) == ["1 2", "3 4", "5"])
    #expect(try batches(inputs, rule(count: 2), slots: 4) == ["1 2", "3 4", "5"])
    #expect(try batches(inputs, rule(count: 9)) == ["1 2 3 4 5"])
    #expect(try batches([], rule(count: 2)) == [])
  }

  /// As GNU parallel divides them.
  @Test("What fills no command is spread over the slots")
  func spread() throws {
    let inputs = (1...7).map(String.init)
    #expect(try batches(inputs, rule(fills: true)) == ["1 2 3 4 5 6 7"])
    #expect(try batches(inputs, rule(fills: true), slots: 3) == ["1 2 3", "4 5 6", "7"])
    #expect(try batches(inputs, rule(fills: true), slots: 9) == inputs)
    #expect(
      try batches(inputs, rule(count: 2, fills: true), slots: 3) == ["1 2", "3 4", "5 6", "7"]
    )
    #expect(try batches([], rule(fills: true), slots: 3) == [])
  }

  /// `e 1 2 3` has 7 bytes and a NUL.
  @Test("A batch ends before its command is too long")
  func lengths() throws {
    let inputs = (1...7).map(String.init)
    #expect(try batches(inputs, rule(fills: true, bytes: 8)) == ["1 2 3", "4 5 6", "7"])
    #expect(try batches(inputs, rule(fills: true, bytes: 9)) == ["1 2 3", "4 5 6", "7"])
    #expect(try batches(inputs, rule(fills: true, bytes: 10)) == ["1 2 3 4", "5 6 7"])
    #expect(
      try batches(inputs, rule(count: 2, fills: true, bytes: 8)) == ["1 2", "3 4", "5 6", "7"]
    )
    #expect(try batches(["1", "22222", "3"], rule(count: 2, bytes: 8)) == ["1", "22222", "3"])
    let words = ["echo", "a{}b"]
    #expect(try batches(["1", "2", "3"], rule(fills: true, bytes: 12), of: words) == ["1 2", "3"])
  }

  @Test("A command that the user's limit excludes ends the inputs with its number")
  func tooLong() throws {
    let error = #expect(throws: UsageError.self) {
      try batches(["1", "2", "333333"], rule(fills: true, bytes: 8))
    }
    #expect(error?.message == "input 3: its command has 9 bytes, and -s allows 8")
    // Without a limit of the user's, the system has the last word about it.
    let long = String(repeating: "x", count: 200_000)
    #expect(try batches([long, "b"], rule(fills: true)) == [long, "b"])
  }

  @Test("No command is longer than its size says", arguments: 1...UInt64(20))
  func sizes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tokens = ["{}", "{.}", "{/}", " ", "x", "'", "\"", "a b", "; ", "{#}", "$(", ")"]
    let characters = bytes("ab'\" /.\n")
    var checked = 0
    while checked < 200 {
      let count = Int.random(in: 1...6, using: &random)
      let line = (0..<count).map { _ in tokens.randomElement(using: &random) ?? "" }.joined()
      var layout = FieldLayout(count: nil)
      layout.repeatsWords = Bool.random(using: &random)
      guard let template = try? Template(command: [bytes("e " + line)], fields: layout) else {
        continue
      }
      checked += 1
      let fields = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          characters.randomElement(using: &random) ?? 0
        }
      }
      let action = template.command(TemplateInput(fields, number: 4_000_000_000)).action
      let length =
        switch action {
        case .run(let words): words.reduce(0) { $0 + $1.count + 1 }
        case .shell(let text): text.count
        }
      let bound = template.size.base + template.size.growth(by: fields, from: 0)
      #expect(length <= bound, "seed \(seed): \(line), \(fields)")
    }
  }
}

/// Contract: lines are joined as `xargs -L` joins them.
@Suite("Joined lines")
struct LineJoinerTests {
  private func inputs(_ lines: String...) -> [String] {
    var joiner = LineJoiner()
    var inputs = lines.compactMap { joiner.add(bytes($0)) }
    if let last = joiner.last() { inputs.append(last) }
    return inputs.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A blank at the end joins, and empty lines are none")
  func joining() {
    #expect(inputs("a", "b") == ["a", "b"])
    #expect(inputs("a ", "b", "c") == ["a b", "c"])
    #expect(inputs("a\t", "b ", "c") == ["a\tb c"])
    #expect(inputs("", "a", " ", "\t", "b", "") == ["a", "b"])
    #expect(inputs("a ") == ["a "])
    #expect(inputs("a ", "", "b", "c") == ["a b", "c"])
    #expect(inputs("a ", " \t", "", " x") == ["a  x"])
    #expect(inputs("a ", "") == ["a "])
  }
}
