public import Foundation

/// Where things of this repository are, for tests.
public enum Repository {
  /// The folder that holds `Package.swift`: one above the built programs, which may have been
  /// copied with it, or the one that they were built in.
  public static let root = ancestor(of: products) ?? sourceRoot

  private static let sourceRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The nearest folder above this one that holds `Package.swift`.
  private static func ancestor(of folder: URL) -> URL? {
    var folder = folder.standardizedFileURL
    while folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
      let manifest = folder.appending(path: "Package.swift").path(percentEncoded: false)
      if FileManager.default.fileExists(atPath: manifest) { return folder }
    }
    return nil
  }

  /// The folder of the built programs: the one that holds the running test bundle.
  public static let products = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent()

  /// A built program as a word of a shell line, whatever its folder's name.
  public static func shellWord(_ program: String) -> String {
    let path = self.program(program).path(percentEncoded: false)
    return "'" + path.replacing("'", with: "'\\''") + "'"
  }

  /// A built program, such as `opool`.
  public static func program(_ name: String) -> URL {
    products.appending(path: name)
  }
}
