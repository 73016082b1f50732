import Foundation
import PoolTestSupport
import Testing

/// Contract: the table of promises names tests that exist.
@Suite("The table of promises")
struct PromisesTests {
  private static let table =
    Repository.root.appending(path: "Sources/OperationPool/OperationPool.docc/Promises.md")

  /// All tests of the sources, as `Suite/function`.
  private func tests() throws -> Set<String> {
    let folder = Repository.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var tests = Set<String>()
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      var suite = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if let name = line.firstMatch(of: /^struct (\w+)/)?.1 { suite = String(name) }
        if let name = line.firstMatch(of: /^  func (\w+)\(/)?.1 { tests.insert("\(suite)/\(name)") }
      }
    }
    return tests
  }

  @Test("every test that it names is there, and every row of a promise names one")
  func names() throws {
    let text = try String(contentsOf: Self.table, encoding: .utf8)
    let tests = try tests()
    let named = text.matches(of: /`(\w+(?:Tests|Scenarios)\/\w+)`/).map { String($0.1) }
    #expect(named.count > 100)
    #expect(Set(named).subtracting(tests).sorted() == [])
    let differences = try #require(text.range(of: "## What is deliberately different"))
    for row in text[..<differences.lowerBound].split(separator: "\n") where row.hasPrefix("| ") {
      guard !row.hasPrefix("| promise ") else { continue }
      #expect(row.contains(/`\w+\/\w+`/), "\(row)")
    }
  }
}
