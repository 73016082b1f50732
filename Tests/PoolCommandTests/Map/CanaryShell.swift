import Foundation
import PoolCommand
import PoolTestSupport
import PoolWire

@testable import PoolText

/// Runs command lines that must not make the file `pwned`.
enum CanaryShell {
  /// The shells that may be `/bin/sh`.
  static let paths = ["/bin/dash", "/bin/bash"]
    .filter(FileManager.default.isExecutableFile(atPath:))

  /// The line for a shell that does the same as a command.
  static func line(of command: CommandPayload) -> [UInt8] {
    switch command.action {
    case .shell(let line): line
    case .run(let words): ShellQuoting.line(words)
    }
  }

  /// Runs every command in a shell and a folder of its own, and returns those that made the file
  /// anywhere in it.
  static func culprits(_ commands: [[UInt8]], shell: String) throws -> [Int] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var script: [UInt8] = []
    for (index, command) in commands.enumerated() {
      script +=
        bytes("mkdir \(index)\ncd \(index)\ntimeout -s KILL 5 ")
        + ShellQuoting.line([bytes(shell), bytes("-c"), command])
      script += bytes(" >/dev/null 2>&1 </dev/null\ncd ..\n")
      script += bytes("[ -z \"$(find \(index) -name pwned)\" ] || echo \(index)\n")
    }
    let process = Process()
    process.executableURL = URL(filePath: shell)
    process.currentDirectoryURL = folder
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }
}
