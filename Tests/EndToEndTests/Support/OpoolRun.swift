import Foundation
import PoolModel
import PoolTestSupport
import Testing

/// What a command line came to.
struct OpoolRun {
  let folder: TestFolder
  let status: PoolExitStatus
  let marker: String

  /// What it wrote to the standard output.
  var stdoutBytes: [UInt8] { folder.bytes(of: ".stdout") }
  var stdout: String { String(decoding: stdoutBytes, as: UTF8.self) }

  /// What it wrote to the standard error; times are `T`, process numbers `P`.
  var stderr: String {
    folder.text(of: ".stderr")
      .replacing(/\ in [0-9.:]+( s)?\n/, with: " in T\n")
      .replacing(/\(pid [0-9]+\)/, with: "(pid P)")
  }

  /// The operations in a file of results, in order of finishing.
  func results(_ name: String = "results") throws -> [ResultRecord] {
    let lines = folder.bytes(of: name).split(separator: UInt8(ascii: "\n"))
    return try lines.filter { Self.unprintedCount(in: $0) == nil }
      .map { try JSONDecoder().decode(ResultRecord.self, from: Data($0)) }
  }

  /// How many outputs were not printed, as the last line of a file of results says.
  func unprintedCount(_ name: String = "results") -> Int? {
    folder.bytes(of: name).split(separator: UInt8(ascii: "\n")).last
      .flatMap { Self.unprintedCount(in: $0) }
  }

  private static func unprintedCount(in line: ArraySlice<UInt8>) -> Int? {
    try? JSONDecoder().decode(LastLine.self, from: Data(line)).unprinted
  }

  private struct LastLine: Decodable {
    var unprinted: Int
  }

  /// The operations in a file of results, by id.
  func resultsByID(_ name: String = "results") throws -> [String: ResultRecord] {
    let records = try results(name)
    #expect(Set(records.map(\.id)).count == records.count, "an operation has two lines")
    return Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Expects all of what the command left, and that it left nothing else: no process, no file.
  @discardableResult
  func expect(
    _ stdout: String? = nil,
    stderr: String? = nil,
    exit: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) -> Self {
    var wrong: [String] = []
    if let stdout, stdout != self.stdout { wrong.append("--- stdout expected\n\(stdout)") }
    if let stderr, stderr != self.stderr { wrong.append("--- stderr expected\n\(stderr)") }
    // Ctrl-C ends opool by its signal, which a shell sees as 130.
    let ends = status == .signaled(2) ? .exited(130) : status
    if ends != .exited(exit) { wrong.append("--- exit expected: \(exit)") }
    if !wrong.isEmpty { record(wrong.joined(separator: "\n") + "\n" + picture, at: location) }
    expectNothingLeft(at: location)
    return self
  }

  /// Expects that the command said this somewhere in its standard error.
  @discardableResult
  func says(_ text: String, at location: SourceLocation = #_sourceLocation) -> Self {
    if !stderr.contains(text) {
      record("--- stderr should hold\n\(text)\n\(picture)", at: location)
    }
    return self
  }

  /// Expects that no process and no temporary file is left.
  func expectNothingLeft(at location: SourceLocation = #_sourceLocation) {
    let processes = Leftovers.processes(of: marker)
    if !processes.isEmpty {
      record("still alive:\n\(processes.joined(separator: "\n"))", at: location)
    }
    let files = (try? folder.names(in: ".tmp")) ?? []
    if !files.isEmpty { record("temporary files are left: \(files)", at: location) }
  }

  private func record(_ text: String, at location: SourceLocation) {
    Issue.record("\(text)", sourceLocation: location)
  }

  private var picture: String {
    "--- stdout\n\(stdout.prefix(4_000))\n--- stderr\n\(stderr.prefix(4_000))\n--- \(status)"
  }
}
