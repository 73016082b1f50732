public import Foundation
import PoolSystem

/// A folder of a test's own, which is removed with the last reference to it.
public final class TestFolder: Sendable {
  /// Where it is; the path needs no quotes in a shell.
  public let url: URL

  /// The path, without a slash at its end.
  public var path: String { url.path(percentEncoded: false) }

  /// Makes an empty folder below the system's one for temporary files.
  public init() throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    url = base.appending(path: "opool-test-\(UUID().uuidString)", directoryHint: .notDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of something in the folder.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file.
  public func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(of: name)))
  }

  /// What a file holds; nothing where there is no such file.
  public func bytes(of name: String) -> [UInt8] {
    Array((try? Data(contentsOf: URL(filePath: path(of: name)))) ?? Data())
  }

  /// What a file holds as text; nothing where there is no such file.
  public func text(of name: String) -> String {
    String(decoding: bytes(of: name), as: UTF8.self)
  }

  /// The names of what is in one of its folders, sorted.
  public func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(of: folder)).sorted()
  }

  /// Makes a named pipe, through which a command can say how far it is.
  public func makePipe(_ name: String) throws {
    guard mkfifo(path(of: name), 0o600) == 0 else { throw SystemFailure.last("mkfifo") }
  }

  /// Waits until a command has opened a named pipe for writing, and reads it to its end.
  package func read(pipe name: String) async throws -> String {
    let url = URL(filePath: path(of: name))
    let bytes = try await Blocking.run {
      try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
