import PoolCommand
import PoolModel
import PoolReports
import Testing

@testable import PoolInputs

/// Contract: the options of a plan's picture, and of a report's files, are understood or refused.
@Suite("Arguments about graphs and traces")
struct GraphArgumentTests {
  @Test("plan and run take a graph, its center and the records of a run")
  func graph() throws {
    for command in ["plan", "run"] {
      let line = "\(command) --graph=mermaid --around a --from events m"
      guard case .run(let options) = try Invocation(arguments: arguments(line)) else {
        Issue.record("\(line)")
        continue
      }
      #expect(options.shared.graph.format == .mermaid)
      #expect(options.shared.graph.center == bytes("a"))
      #expect(options.shared.graph.history == bytes("events"))
    }
  }

  @Test("page and trace may be written at once")
  func trace() throws {
    let line = "report --html page --trace trace --omit commands events"
    guard case .report(let options) = try Invocation(arguments: arguments(line)) else {
      Issue.record("\(line)")
      return
    }
    #expect(options.page == bytes("page") && options.trace == bytes("trace"))
  }

  @Test(
    "What would mean nothing is refused",
    arguments: [
      ("plan --graph svg m", "opool: --graph needs one of dot, mermaid, json"),
      ("plan --around a m", "opool: --around is for a graph"),
      ("run --from e m", "opool: --from is for a graph"),
      ("plan --graph dot --around= m", "opool: --around needs the id of an operation"),
      ("plan --graph dot --from= m", "opool: --from needs the name of a file"),
      ("plan --graph dot --simulate 1 m", "opool: --graph and --simulate"),
      ("plan --graph dot --json m", "opool: --json and --graph dot"),
      ("map --graph dot true", "opool: unknown option"),
      ("report --omit commands e", "opool: --omit is for the files of --html and --trace"),
      ("report --trace t --against o e", "opool: --against prints text, and --trace a trace"),
      ("report --trace - --html - e", "opool: --html and --trace name the same file: '-'"),
      ("report --trace= e", "opool: --trace needs the name of a file"),
    ]
  )
  func refused(_ line: String, _ reason: String) {
    let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments(line)) }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }
}
