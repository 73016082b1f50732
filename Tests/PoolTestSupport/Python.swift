import Foundation

/// Python 3, which some tests write their workers in.
public enum Python {
  /// Whether it is on PATH.
  public static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
}
