import Foundation
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool
@testable import PoolContents

/// Contract: an input is exactly what the operation made, without a copy where there need be none,
/// and nothing of it is left when no operation has it any more.
@Suite("Inputs of operations")
struct InputContentTests {
  /// An output in a file without a name, of which so many bytes count.
  private func output(_ bytes: [UInt8], counting count: Int? = nil) throws -> OutputContent {
    let descriptor = try TemporaryFile.open(holding: bytes)
    let file = OutputFile(descriptor: descriptor, byteCount: Int64(count ?? bytes.count))
    return .file(file)
  }

  private func path(of content: InputContent) throws -> String {
    guard case .file(let path) = try content.wire(asFile: true) else {
      Issue.record("it is not given as a file")
      return ""
    }
    return String(decoding: path, as: UTF8.self)
  }

  @Test("The file of an output is given a name at once, and is removed with the last reference")
  func named() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    var content: InputContent? = InputContent(isOutput: true)
    content?.fill(from: AttemptReport(standardOutput: try output(bytes)))
    let path = try path(of: #require(content))
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    #expect(try content?.wire(asFile: false) == .output(bytes))
    content = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    let folder = URL(filePath: path).deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  /// Something that the operation left behind goes on writing.
  @Test("Of a file that has grown, what counts is copied")
  func grown() throws {
    let content = InputContent(isOutput: true)
    let output = try output(Array("right wrong".utf8), counting: 5)
    content.fill(from: AttemptReport(standardOutput: output))
    #expect(throws: InputFailure.self) { try content.wire(asFile: true) }
    try content.prepare(while: { true })
    #expect(FileManager.default.contents(atPath: try path(of: content)) == Data("right".utf8))
    #expect(try content.wire(asFile: false) == .output(Array("right".utf8)))
  }

  @Test("A small result goes with the message, a large one into a file, and none is null")
  func results() throws {
    let none = InputContent(isOutput: false)
    #expect(throws: InputFailure.self) { try none.prepare(while: { true }) }
    none.fill(from: AttemptReport(answer: Answer()))
    try none.prepare(while: { true })
    #expect(try none.wire(asFile: true) == .json(Array("null".utf8)))
    let large = InputContent(isOutput: false)
    let json = Array("\"\(String(repeating: "x", count: 100_000))\"".utf8)
    large.fill(from: AttemptReport(answer: Answer(result: json)))
    try large.prepare(while: { true })
    #expect(FileManager.default.contents(atPath: try path(of: large)) == Data(json))
    #expect(try large.wire(asFile: false) == .json(json))
  }

  @Test("A large product is not copied to its end where the pool ends")
  func stopped() throws {
    let content = InputContent(isOutput: true)
    let bytes = [UInt8](repeating: 1, count: 3 << 20)
    // Only a part of the file, so that it has to be copied.
    content.fill(
      from: AttemptReport(standardOutput: try output(bytes + [2], counting: bytes.count))
    )
    var asked = 0
    #expect(throws: InputFailure.self) {
      try content.prepare {
        asked += 1
        return asked < 2
      }
    }
    #expect(asked == 2)
    try content.prepare(while: { true })
    #expect(FileManager.default.contents(atPath: try path(of: content)) == Data(bytes))
  }

  @Test("An output that could not be fetched cannot be given, and the reason is told")
  func missing() throws {
    let content = InputContent(isOutput: true)
    content.fill(from: AttemptReport(standardOutput: .unavailable("it is out of reach")))
    let failure = #expect(throws: InputFailure.self) { try content.prepare(while: { true }) }
    #expect(failure?.description == "it is out of reach")
  }
}

extension InputContent {
  /// Fills it from what an attempt has left.
  fileprivate func fill(from report: AttemptReport) {
    fill(output: report.standardOutput, result: report.answer?.result)
  }
}
