import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport

/// Coordinators in processes of their own.
enum Scenes {
  /// What other suites of this process have open, and have not marked close-on-exec yet, would
  /// count against a limit.
  private static let closesInherited =
    "for d in /dev/fd/*; do n=${d##*/}; [ $n -le 2 ] || eval \"exec $n>&-\"; done"

  /// Plays a scene of the tests' own coordinator, and returns the lines that it prints.
  ///
  /// At a limit of descriptors, where one is given; ended after five minutes, so that a scene that
  /// hangs fails.
  static func play(_ scene: String, descriptorLimit: Int? = nil) async throws -> [String] {
    // Waiting takes a thread of its own: the few that tests share are for those that do something.
    try await Blocking.run { try wait(for: scene, descriptorLimit) }
  }

  private static func wait(for scene: String, _ descriptorLimit: Int?) throws -> [String] {
    let output = try TemporaryFile.open()
    let null = try Descriptors.openNull()
    defer { for descriptor in [output, null] { Descriptors.close(descriptor) } }
    let program = Repository.shellWord("test-coordinator")
    let limit = descriptorLimit.map { "\(closesInherited); ulimit -n \($0); " } ?? ""
    let line = "\(limit)exec timeout 300 \(program) \(scene)"
    let environment = ProcessEnvironment.current
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(
        arguments: ["bash", "-c", line].map { Array($0.utf8) },
        environment: environment,
        standardInput: null,
        standardOutput: output,
        standardError: output
      )
    )
    process.waitForEnd()
    let status = try process.reap().0
    let size = try Int(Descriptors.size(of: output))
    var bytes = [UInt8](repeating: 0, count: max(size, 1))
    _ = try bytes.withUnsafeMutableBytes { try SystemIO.read(output, into: $0, from: 0) }
    let text = String(decoding: bytes.prefix(size), as: UTF8.self)
    let lines = text.split(separator: "\n").map { String($0) }
    return status == .exited(0) ? lines : lines + ["\(status)"]
  }
}
