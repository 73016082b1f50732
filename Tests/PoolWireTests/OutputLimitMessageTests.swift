import PoolModel
import PoolWire
import Testing

/// Limits of outputs on the wire, as another coordinator may write them.
@Suite("Limits of outputs in messages")
struct OutputLimitMessageTests {
  private func limits(_ json: String) throws -> OutputLimits? {
    let body = #"{"type":"execute","operation":1,"dispatch":1,"kind":"command","limits":\#(json)}"#
    let message = try Array(body.utf8).withUnsafeBytes { try CoordinatorMessage(scanning: $0) }
    guard case .execute(let execute) = message else { return nil }
    return execute.surroundings?.limits
  }

  @Test(
    "An output has no limit if the message names none, or none that is known",
    arguments: [
      "{}", #"{"stdout":{}}"#, #"{"stdout":{"bytes":3}}"#, #"{"stdout":{"excess":"fail"}}"#,
      #"{"stdout":{"bytes":3,"excess":"compress"}}"#, #"{"stdin":{"bytes":3,"excess":"fail"}}"#,
    ]
  )
  func none(json: String) throws {
    #expect(try limits(json) == OutputLimits(output: .none, error: .none))
  }

  @Test("Unknown fields are skipped, and a negative number is none of bytes")
  func loose() throws {
    let json = #"{"stderr":{"excess":"truncate","unit":[1],"bytes":-5},"stdout":null}"#
    let limit = OutputLimit(byteCount: 0, fails: false)
    #expect(try limits(json) == OutputLimits(output: .none, error: limit))
    #expect(try limits("null") == nil)
  }

  @Test("A limit forbids the first byte beyond it, and only where the operation fails")
  func forbids() {
    #expect(!OutputLimit(byteCount: 3, fails: true).forbids(3))
    #expect(OutputLimit(byteCount: 3, fails: true).forbids(4))
    #expect(!OutputLimit(byteCount: 3, fails: false).forbids(4))
    #expect(!OutputLimit.none.forbids(.max))
  }

  @Test("The limit is the cause of a failure, and how the command ended is in the message once")
  func cause() {
    let exit = Failure(cause: .exit, message: "exit code 3", code: 3)
    let joint = Failure.overLimit(exit, ["too long"])
    #expect(joint == Failure(cause: .outputLimit, message: "too long; exit code 3"))
    #expect(Failure.overLimit(joint, ["too long"]) == joint)
    #expect(Failure.overLimit(exit, []) == exit)
    #expect(Failure.overLimit(nil, ["a", "b"])?.message == "a; b")
  }
}
