import OperationPool
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolReports

/// Outputs that wait for their turn.
@Suite("Outputs in order")
struct OrderedOutputsTests {
  /// What is kept open for an output, to see how long it is.
  private struct Watched {
    weak var file: OpenFile?
  }

  private func file(of bytes: [UInt8]) throws -> (OutputContent, Watched) {
    let file = OpenFile(try TemporaryFile.open(holding: bytes))
    return (.file(OutputFile(0..<Int64(bytes.count), of: file)), Watched(file: file))
  }

  private func bytes(of content: OutputContent) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try content.forEachPiece { bytes += $0 }
    return bytes
  }

  private func text(_ number: Int, _ name: String) -> [UInt8] {
    Array("\(name) of \(number)\n".utf8)
  }

  @Test(
    "They come in order and whole, in whatever order they came in",
    arguments: RandomSeeds.first(8)
  )
  func order(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var outputs = OrderedOutputs()
    var written: [UInt8] = []
    func write(_ pair: OutputPair) throws {
      written += try bytes(of: pair.output) + bytes(of: pair.error)
    }
    for number in (0..<200).shuffled(using: &generator) {
      var pair = OutputPair(
        output: .inline(text(number, "output")),
        error: .inline(text(number, "error"))
      )
      if Bool.random(using: &generator) { pair.output = try file(of: text(number, "output")).0 }
      if Bool.random(using: &generator) { pair.error = try file(of: text(number, "error")).0 }
      guard outputs.isNext(number) else {
        try outputs.keep(number, pair)
        continue
      }
      try write(pair)
      outputs.advance()
      while let next = outputs.next() { try write(next.pair) }
    }
    #expect(written == (0..<200).flatMap { text($0, "output") + text($0, "error") })
    let rest = outputs.next()
    #expect(rest?.number == nil, "nothing else waits")
  }

  /// A thousand large outputs behind one that takes long would need a descriptor each.
  @Test("So many files stay open, and no more; what was written is closed")
  func openFiles() throws {
    var outputs = OrderedOutputs()
    var files: [Watched] = []
    for number in 1...100 {
      let (content, watched) = try file(of: text(number, "output"))
      try outputs.keep(number, OutputPair(output: content, error: .empty))
      files.append(watched)
    }
    #expect(files.map { $0.file != nil } == (1...100).map { $0 <= OrderedOutputs.fileLimit })
    #expect(outputs.isNext(0))
    outputs.advance()
    for number in 1...100 {
      let next = outputs.next()
      let pair = try #require(next?.pair)
      #expect(next?.number == number)
      #expect(try bytes(of: pair.output) == text(number, "output"))
      #expect(pair.error.isEmpty)
    }
    #expect(files.allSatisfy { $0.file == nil })
    let rest = outputs.next()
    #expect(rest?.number == nil, "nothing else waits")
  }

  /// A long run would come to copy every output.
  @Test("The room for open files is there again once they were written", arguments: [1, 2])
  func openFilesAgain(_ filesEach: Int) throws {
    var outputs = OrderedOutputs()
    outputs.advance()
    let count = OrderedOutputs.fileLimit / filesEach
    for round in 0..<3 {
      var files: [Watched] = []
      for number in 1 + round * count...(round + 1) * count {
        let (output, watched) = try file(of: text(number, "output"))
        var pair = OutputPair(output: output, error: .empty)
        if filesEach == 2 { pair.error = try file(of: text(number, "error")).0 }
        try outputs.keep(number, pair)
        files.append(watched)
      }
      #expect(files.allSatisfy { $0.file != nil } && outputs.store == nil, "round \(round)")
      while let next = outputs.next() { #expect(!next.pair.isEmpty) }
      #expect(files.allSatisfy { $0.file == nil })
    }
  }

  /// As many as may stay open, so that what follows is copied.
  private func fill(_ outputs: inout OrderedOutputs, from first: Int) throws {
    for number in first..<first + OrderedOutputs.fileLimit {
      let content = try file(of: text(number, "output")).0
      try outputs.keep(number, OutputPair(output: content, error: .empty))
    }
  }

  /// Something that a command has left behind may do that while its output waits to be copied.
  @Test("A file that was cut takes nothing from what comes after it")
  func cutFile() throws {
    var outputs = OrderedOutputs()
    try fill(&outputs, from: 3)
    let cut = OutputFile(0..<1_000, of: OpenFile(try TemporaryFile.open(holding: [1, 2, 3])))
    try outputs.keep(1, OutputPair(output: .file(cut), error: .inline(text(1, "error"))))
    try outputs.keep(2, OutputPair(output: .inline(text(2, "output")), error: .empty))
    outputs.advance()
    let firstTaken = outputs.next()
    let first = try #require(firstTaken?.pair)
    #expect(try bytes(of: first.output) == [1, 2, 3])
    #expect(try bytes(of: first.error) == text(1, "error"))
    let secondTaken = outputs.next()
    let second = try #require(secondTaken?.pair)
    #expect(try bytes(of: second.output) == text(2, "output"))
  }

  /// A run of days would keep what it had to copy once.
  @Test("The room of what was copied is given back, whatever was the last to wait")
  func room() throws {
    var outputs = OrderedOutputs()
    try fill(&outputs, from: 2)
    try outputs.keep(1, OutputPair(output: .inline(text(1, "output")), error: .empty))
    outputs.advance()
    #expect(outputs.store != nil)
    while let next = outputs.next() { #expect(!next.pair.isEmpty) }
    #expect(outputs.store == nil)
  }
}
