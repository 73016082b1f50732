import PoolTestSupport
import Testing

/// Contract: every flag of the help does what its row of the table says, and has a row.
@Suite("Flags")
struct FlagTests {
  private static let files = [
    ("three", "1\n2\n3\n"), ("csv", "x,y\n1,2\n3,4\n"),
    (
      "m",
      """
      {"id": "a", "shell": "echo a"}
      {"id": "b", "shell": "echo b", "after": ["a"]}

      """
    ), ("bad", #"{"id": "x", "run": ["false"]}"# + "\n"),
  ]

  @Test(
    "a line with the flag does what it should",
    arguments: FlagRow.map + FlagRow.run + FlagRow.records + FlagRow.check
  )
  func row(_ row: FlagRow) throws {
    var opool = try Opool.shell(row.line)
    for (name, text) in Self.files { opool = try opool.file(name, text) }
    try opool.run().expect(row.stdout, stderr: row.stderr, exit: row.exit)
  }

  /// The flags that a help text explains.
  private func flags(_ topic: String) throws -> Set<String> {
    let help = try Opool("help", topic).run().expect(stderr: "").stdout
    return help.split(separator: "\n").reduce(into: []) { flags, line in
      // The column of the options: `  -k, --keep-order` or `      --order ORDER`.
      guard line.hasPrefix("  -") || line.hasPrefix("      --") else { return }
      let spelling = line.drop { $0 == " " }.prefix { !" ,[".contains($0) }
      flags.insert(String(spelling))
      let rest = line.drop { $0 == " " }.dropFirst(spelling.count)
      guard rest.hasPrefix(", --") else { return }
      flags.insert(String(rest.dropFirst(2).prefix { !" [".contains($0) }))
    }
  }

  @Test("no flag lacks a row")
  func completeness() throws {
    let map = Set(FlagRow.map.flatMap(\.flags))
    #expect(try flags("map").subtracting(map) == [])
    #expect(try map.subtracting(flags("map")) == [])
    let run = Set(FlagRow.run.flatMap(\.flags))
    #expect(try flags("run").subtracting(run.union(map)) == [])
    #expect(try run.subtracting(flags("run")) == [])
    let records = Set(FlagRow.records.flatMap(\.flags))
    let explained = try ["report", "status", "explain", "output", "cancel"].map { try flags($0) }
    #expect(explained.reduce([]) { $0.union($1) } == records)
    #expect(try flags("check-worker") == Set(FlagRow.check.flatMap(\.flags)))
  }
}
