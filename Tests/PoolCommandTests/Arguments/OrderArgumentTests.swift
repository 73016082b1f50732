import PoolCommand
import PoolModel
import Testing

@testable import PoolInputs

/// Contract: an order of dispatch is understood, or refused before anything happens.
@Suite("Arguments about the order of dispatch")
struct OrderArgumentTests {
  private func options(_ line: String) throws -> SharedOptions? {
    switch try Invocation(arguments: arguments(line)) {
    case .run(let options): options.shared
    case .map(let options): options.shared
    default: nil
    }
  }

  @Test("Runs and maps take the same options; the order is that of submission otherwise")
  func same() throws {
    for command in ["run", "map"] {
      let options = try #require(
        try options("\(command) --order critical-path --history old x")
      )
      #expect(options.order == .criticalPath)
      #expect(options.history == bytes("old"))
      #expect(try self.options("\(command) x")?.order == .submission)
      #expect(try self.options("\(command) --order=submission x")?.order == .submission)
    }
  }

  @Test(
    "What would mean nothing is refused",
    arguments: [
      ("run --order fifo", "opool: --order needs one of submission, critical-path"),
      ("map --order= x", "opool: --order needs one of submission, critical-path"),
      ("run --history h m", "opool: --history is for an order that durations matter to"),
      ("run --order critical-path --history= m", "opool: --history needs the name of a file"),
    ]
  )
  func refused(_ line: String, _ reason: String) {
    let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments(line)) }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }
}
