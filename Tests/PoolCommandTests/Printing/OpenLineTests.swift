import Testing

@testable import PoolCommand
@testable import PoolReports

/// Whether a message of opool needs a line feed in front of it.
@Suite("The open line of the error stream")
struct OpenLineTests {
  private let feed = UInt8(ascii: "\n")
  private let letter = UInt8(ascii: "x")

  @Test("Only an output that ends within a line needs a line feed behind it")
  func outputs() {
    var line = OpenLine()
    #expect(!line.needsLineFeed && !line.isOpen)
    line.wrote(letter)
    #expect(line.needsLineFeed && line.isOpen)
    line.wrote(nil)
    #expect(line.needsLineFeed)
    line.wrote(feed)
    #expect(!line.needsLineFeed && !line.isOpen)
  }

  @Test("A message continues another one")
  func messages() {
    var line = OpenLine()
    line.wrote(letter, isMessage: true)
    #expect(!line.needsLineFeed && line.isOpen)
    line.wrote(letter)
    #expect(line.needsLineFeed)
  }
}
