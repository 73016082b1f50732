import Foundation
import PoolCommand
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolInputs
@testable import PoolText

/// Contract: through a real shell, every input arrives as the bytes it was, in its place, and
/// nothing else is executed.
@Suite("Hostile inputs")
struct HostileInputTests {
  /// Lines that print `<` placeholder `>` by different quoting, and what surrounds it.
  private static let lines = [
    "printf '<%s>' {} && :",
    "printf \"<%s>\" \"{}\" && :",
    "printf '<%s>' '{}' && :",
    "printf '<%s>' \"\"{}'' && :",
    "x={}; printf '<%s>' \"$x\"",
    "x=\"{}\"; printf '<%s>' \"${x}\"",
    "# it's a comment\nprintf '<%s>' {} # and \"another",
    "(printf '<%s>' {}) # )",
    "for x in {}; do printf '<%s>' \"$x\"; done",
    "case {} in *) printf '<%s>' \"{}\" ;; esac",
    "printf '<%s>' \"$(printf '%s.' {})\"",
    "printf '<%s>' \"$(printf '%s.' \"{}\")\"",
    "printf '<%s>' \"$(printf '%s.' '{}')\"",
    "x=$(printf '%s.' \"$(printf '%s' '{}'.)\"); printf '<%s>' \"$x\"",
    "f () { printf '<%s>' {}; }; f \"$$\" $# \\' \\\"",
    "printf '<%s>' \"\\\"\\$\" 2>&1 >/dev/null; printf '<%s>' {}",
    "{ printf '<%s>' \"$(printf '%s.' {} | (cat))\"; }",
    "x=$((1+({#}*2))); printf '<%s>' {} && : $((3))",
    "x=\"$(({#}))\"; printf '<%s>' \"{}\"",
  ]

  private static let fragments: [[UInt8]] =
    [
      "$(touch x)", "`touch x`", ";", "&", "|", "'", "\"", "\n", "!", "\\", "\\\\", "-n", "$HOME",
      "${x}", "#", " ", "\t", "*", "?", "~", "(", ")", "{}", "{#}", "<<X", ">x", "a", "é", "%s",
      "'; touch x; '", "\"; touch x; \"", "$'", "\\'", "\r",
    ].map { Array($0.utf8) } + (0x80...0x8A).map { [UInt8($0)] } + [[0xFF], [0xC3], [0x01], [0x7F]]

  private func input(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
      Self.fragments.randomElement(using: &random) ?? []
    }
  }

  /// Runs a script in an empty folder, and returns its output and the names of the files it made.
  private func run(_ script: [UInt8], shell: String) throws -> (output: [UInt8], files: [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
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
    return ([UInt8](data), try FileManager.default.contentsOfDirectory(atPath: folder.path()))
  }

  /// Every input has a shell of its own: `sh -c LINE`, from a script that one shell reads.
  private func script(_ commands: [[UInt8]], shell: String) -> [UInt8] {
    commands.flatMap { command in
      ShellQuoting.line([bytes(shell), bytes("-c"), command]) + bytes("\nprintf '\\0'\n")
    }
  }

  @Test(
    "Through every shell that is here, they arrive unchanged",
    arguments: ["/bin/sh", "/bin/bash"].filter(FileManager.default.isExecutableFile(atPath:)),
    [UInt64(1), 2, 3]
  )
  func unchanged(shell: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var commands: [[UInt8]] = []
    var expected: [[UInt8]] = []
    for line in Self.lines {
      let template = try Template(command: [bytes(line)])
      for number in 1...20 {
        let input = input(&random)
        guard case .shell(let filled) = template.command(input: input, number: number).action else {
          Issue.record("no shell for \(line)")
          continue
        }
        commands.append(filled)
        let dots = line.contains("'{}'.)") ? ".." : line.contains("%s.") ? "." : ""
        expected.append(bytes("<") + input + bytes(dots + ">"))
      }
    }
    let (output, files) = try run(script(commands, shell: shell), shell: shell)
    let found = output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    #expect(found.count == expected.count, "seed \(seed)")
    for (index, pair) in zip(found, expected).enumerated() where Array(pair.0) != pair.1 {
      let command = Printable.text(commands[index])
      Issue.record("seed \(seed): \(command)\n\(Printable.text(pair.0))")
    }
    #expect(files.isEmpty, "seed \(seed): \(files)")
  }

  @Test("Several words pass inputs on without any shell", arguments: [UInt64(1)])
  func words(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let template = try Template(command: ["a", "x{}y"].map(bytes))
    for number in 1...200 {
      let input = input(&random)
      let command = template.command(input: input, number: number)
      #expect(
        command == CommandPayload(.run([bytes("a"), bytes("x") + input + bytes("y")])),
        "seed \(seed)"
      )
    }
  }
}
