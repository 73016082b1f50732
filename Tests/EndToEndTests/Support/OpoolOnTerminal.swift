import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport

/// A script for `/bin/sh` under way, whose own terminal is a pseudo-terminal.
final class OpoolOnTerminal {
  let folder: TestFolder
  let terminal: PseudoTerminal
  private let process: CommandProcess
  private let marker: String

  init(_ opool: Opool, script: String, columns: Int = 80) throws {
    folder = opool.folder
    terminal = try PseudoTerminal(columns: columns)
    marker = UUID().uuidString
    process = try terminal.start(
      ["/bin/sh", "-c", script],
      in: folder.path,
      environment: opool.prepare(marker: marker)
    )
  }

  /// The rows that are to be seen; times are `T`.
  var lines: [String] {
    terminal.screen.lines.map { $0.replacing(/\ in [0-9.:]+ s$/, with: " in T") }
  }

  /// How often the progress was drawn where there was none.
  var drawnCount: Int {
    terminal.transcript.matches(of: /\u{1B}\[J(?:\u{1B}\[1m)?[0-9]+\//).count
  }

  /// Opens a named pipe for reading, once a command has opened it.
  func open(_ pipe: String) throws -> Int32 {
    try watched { try Descriptors.openFile(path: Array(self.folder.path(of: pipe).utf8)) }
  }

  /// Reads until the text satisfies a condition, or to the end.
  func read(_ descriptor: Int32, until condition: (String) -> Bool) throws -> String {
    try watched {
      var text: [UInt8] = []
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
      defer { buffer.deallocate() }
      while !condition(String(decoding: text, as: UTF8.self)) {
        let count = try SystemIO.readWaiting(descriptor, into: buffer)
        guard count > 0 else { break }
        text += buffer[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Reads a named pipe to its end, once a command has opened it.
  func read(_ pipe: String) throws -> String {
    let descriptor = try watched { () throws in
      try Descriptors.openFile(path: Array(self.folder.path(of: pipe).utf8))
    }
    defer { Descriptors.close(descriptor) }
    return String(decoding: try SystemIO.readAll(descriptor), as: UTF8.self)
  }

  /// Writes a line to a named pipe that a command waits for.
  func release(_ pipe: String) throws {
    try watched { try Self.release(folder.path(of: pipe)) }
  }

  /// Writes a line to the named pipe of that path, once a command has opened it.
  static func release(_ path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: Data("go\n".utf8))
    try file.close()
  }

  private func watched<Value>(_ body: () throws -> Value) throws -> Value {
    let process = process
    let watchdog = Watchdog { process.send(.kill) }
    return try withExtendedLifetime(watchdog) { try body() }
  }

  /// Waits for the end of the script, and of everything that uses its terminal.
  func wait() throws -> OpoolRun {
    let (status, _) = try watched {
      terminal.readToEnd()
      process.waitForEnd()
      return try process.reap()
    }
    return OpoolRun(folder: folder, status: status, marker: marker)
  }
}

extension Opool {
  /// Starts a script on a terminal, in a folder with these named pipes.
  static func onTerminal(
    _ script: String,
    pipes: [String] = [],
    columns: Int = 80,
    terminal type: String? = "xterm"
  ) throws -> OpoolOnTerminal {
    let opool = try Opool.shell("").environment("TERM", type ?? "")
    for pipe in pipes { try RunningOpool.makePipe(opool.folder.path(of: pipe)) }
    let script = type == nil ? "unset TERM; " + script : script
    return try OpoolOnTerminal(opool, script: script, columns: columns)
  }
}
