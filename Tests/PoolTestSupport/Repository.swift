public import Foundation

/// Where things of this repository are, for tests.
public enum Repository {
  /// The folder that holds `Package.swift`.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built programs: the one that holds the running test bundle.
  public static let products = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent()

  /// A built program, such as `opool`.
  public static func program(_ name: String) -> URL {
    products.appending(path: name)
  }
}
