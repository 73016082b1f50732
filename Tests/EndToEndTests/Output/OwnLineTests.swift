import PoolTestSupport
import Testing

/// What opool says begins at the start of a line, whatever outputs have left behind.
@Suite("Lines of opool's own")
struct OwnLineTests {
  @Test("The summary follows an open line of the error stream", arguments: ["", "--lb"])
  func summary(_ option: String) throws {
    try Opool.shell(
      """
      opool map --json \(option) 'printf err{} >&2; true' ::: 1 2 2>e
      grep -c '^{"type":"summary"' e
      """
    ).run().expect("1\n")
  }

  @Test("Where both streams lead to one file, what went to standard output counts, too")
  func shared() throws {
    try Opool.shell(
      """
      opool map --json 'printf foo; true {}' ::: 1 2 >e 2>&1
      grep -c '^{"type":"summary"' e
      opool map --json 'head -c 100000 /dev/zero; true {}' ::: 1 >e 2>&1
      grep -ac '^{"type":"summary"' e
      """
    ).run().expect("1\n1\n")
  }

  @Test("A stream that is not shared stays as it is")
  func apart() throws {
    let run = try Opool.shell("opool map --json 'printf foo; true {}' ::: 1 2 | cat").run()
    run.expect("foofoo")
    #expect(run.stderr.hasPrefix("{"))
  }
}
