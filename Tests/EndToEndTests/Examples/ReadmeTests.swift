import Foundation
import PoolTestSupport
import Testing

/// What the README shows is what is built and run.
@Suite("The README")
struct ReadmeTests {
  private let readme: String
  private let example: String

  init() throws {
    readme = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    let source = Repository.root.appending(path: "Scripts/Examples/Primes/Example.swift")
    example = try String(contentsOf: source, encoding: .utf8)
  }

  @Test("its Swift example is the program that the tests build, to the letter")
  func sameText() throws {
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
    let block = try #require(blocks.first?.components(separatedBy: "```").first)
    #expect(block == example)
  }

  @Test("its Swift example runs, as coordinator and as its own workers")
  func runs() throws {
    try Opool.shell("example-primes").run().expect("550 primes below 4000\n", stderr: "")
  }

  @Test("it has at most 200 lines")
  func length() {
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
  }
}
