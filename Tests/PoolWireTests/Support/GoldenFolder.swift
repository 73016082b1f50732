import Foundation
import PoolTestSupport

/// Files of `Protocol/`, read, and written where the environment has `RECORD_SNAPSHOTS=1`.
enum GoldenFolder {
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  private static let root = Repository.root.appending(path: "Protocol")

  /// A golden frame's body.
  static func body(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url(name + ".json")))
  }

  /// A golden frame, from its hexadecimal digits.
  static func frame(_ name: String) throws -> [UInt8] {
    let text = try String(contentsOf: url(name + ".hex"), encoding: .utf8)
    return text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
  }

  /// Writes a frame, and its body where that is not written by hand.
  static func record(_ name: String, frame: [UInt8], body: [UInt8]?) throws {
    if let body { try Data(body).write(to: url(name + ".json")) }
    let digits = frame.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let lines = stride(from: 0, to: digits.count, by: 32).map { start in
      digits[start..<min(start + 32, digits.count)].joined(separator: " ")
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url(name + ".hex"))
  }

  /// The names of all golden frames in the folder.
  static func names(_ suffix: String) throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "golden").path
    )
    return Set(files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) })
  }

  /// The transcripts, by name.
  static func transcripts() throws -> [(name: String, text: String)] {
    let folder = root.appending(path: "transcripts")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.map { name in
      (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }

  private static func url(_ file: String) -> URL {
    root.appending(path: "golden").appending(path: file)
  }
}
