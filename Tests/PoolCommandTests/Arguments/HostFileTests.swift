import PoolModel
import Testing

@testable import PoolCommand

/// Contract: which hosts the lines of a file name, and what is wrong with one that names none.
@Suite("Files of hosts")
struct HostFileTests {
  private func hosts(_ text: String) throws -> [WorkerRequest] {
    try HostFile.hosts(in: Array(text.utf8))
  }

  private func failure(_ text: String) -> String {
    do {
      _ = try hosts(text)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test("each line is a host, with a number before it or not; others say nothing")
  func lines() throws {
    let text = "# mine\r\n\n  8/box \t\r\nme@other\n#9/off\n2/ssh -p 2222 far\n:"
    let found = try hosts(text)
    #expect(
      found.map(\.text) == ["--hosts, 8/box", "--hosts, me@other", "--hosts, 2/far", "--hosts, :"]
    )
    #expect(found.map(\.count) == [8, nil, 2, nil])
  }

  @Test("features stand before the number, or before the host")
  func features() throws {
    let found = try hosts("@gpu+ssd/8/box\n@a=1/other\n@big/:")
    #expect(found.map(\.features) == [["gpu", "ssd"], ["a=1"], ["big"]])
    #expect(found.map(\.count) == [8, nil, nil])
    for line in ["@/box", "@gpu+/box", "@gpu", "@g p/box", "@gpu/", "8/@gpu/box"] {
      #expect(failure(line).hasPrefix("line 1: '\(line)' is no host"))
    }
  }

  @Test("what is no host is named with its line")
  func malformed() {
    let reason = "is no host, such as 8/box or me@other"
    #expect(failure("a\n\n-x\n") == "line 3: '-x' \(reason)")
    #expect(failure("0/a") == "line 1: '0/a' \(reason)")
    #expect(failure("1025/a") == "line 1: '1025/a' \(reason)")
    #expect(failure("a,b;c") == "line 1: 'a,b;c' \(reason)")
    #expect(failure("a\u{1B}[m") == "line 1: 'a\\x1B[m' \(reason)")
    #expect(failure("a\n2/b\na") == "line 3: 'ssh a' is also in line 1")
    #expect(failure("") == "it names no host")
    #expect(failure("# a\n") == "it names no host")
  }

  @Test("a file may name a thousand hosts")
  func limit() throws {
    let lines = (0..<1_000).map { "h\($0)" }
    #expect(try hosts(lines.joined(separator: "\n")).count == 1_000)
    #expect(failure((lines + ["x"]).joined(separator: "\n")) == "it names more than 1000 hosts")
  }
}
