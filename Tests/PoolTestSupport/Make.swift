import Foundation

/// GNU make, which is the parent or the child in some tests.
public enum Make {
  /// Whether it is on PATH.
  public static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/make") }
}
