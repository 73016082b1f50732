import Foundation
import PoolTestSupport
import Testing

/// The example that the README runs.
@Suite("The census of the sources")
struct CensusTests {
  /// In a copy, because the census writes its steps below the folder that it runs in.
  @Test("The graph computes what a plain pipeline does")
  func census() throws {
    let command = try Opool.shell(
      """
      opool run -q Protocol/examples/census.jsonl > graph && \
      sh Protocol/examples/census.sh > pipeline && diff graph pipeline && wc -l < graph
      """
    )
    for name in ["Sources", "Protocol"] {
      try FileManager.default.copyItem(
        at: Repository.root.appending(path: name),
        to: command.folder.url.appending(path: name)
      )
    }
    let run = try command.run().expect(stderr: "")
    #expect((Int(run.stdout.dropLast()) ?? 0) > 25)
  }
}
