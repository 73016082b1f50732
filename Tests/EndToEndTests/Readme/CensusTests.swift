import Testing

/// The example that the README runs.
@Suite("The census of the sources")
struct CensusTests {
  /// In a copy, because the census writes its steps below the folder that it runs in.
  @Test("The graph computes what a plain pipeline does")
  func census() throws {
    let run = try Opool.shell(
      """
      cp -R "$REPOSITORY/Sources" "$REPOSITORY/Protocol" . && chmod -R u+w Sources Protocol && \
      opool run -q Protocol/examples/census.jsonl > graph && \
      sh Protocol/examples/census.sh > pipeline && diff graph pipeline && wc -l < graph
      """
    ).run().expect(stderr: "")
    #expect((Int(run.stdout.dropLast()) ?? 0) > 25)
  }
}
