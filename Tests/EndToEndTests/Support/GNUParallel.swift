import Foundation
import Testing

/// GNU parallel, which some tests read our files with.
enum GNUParallel {
  /// Whether it is on PATH, and not another program of that name.
  static let isThere: Bool = {
    let program = Process()
    program.executableURL = URL(filePath: "/bin/sh")
    let script = "parallel --version </dev/null 2>/dev/null | grep -q '^GNU parallel'"
    program.arguments = ["-c", script]
    guard (try? program.run()) != nil else { return false }
    program.waitUntilExit()
    return program.terminationStatus == 0
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where there is no GNU parallel, and says so.
  static var needsParallel: Self { .enabled(if: GNUParallel.isThere, "there is no GNU parallel") }
}
