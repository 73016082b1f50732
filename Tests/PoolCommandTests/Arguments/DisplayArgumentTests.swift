import PoolCommand
import Testing

@testable import PoolInputs
@testable import PoolReports

/// When outputs are printed, and what their lines begin with.
@Suite("Arguments about printing")
struct DisplayArgumentTests {
  private func display(_ line: String) throws -> DisplayOptions? {
    switch try Invocation(arguments: arguments(line)) {
    case .run(let options): options.shared.display
    case .map(let options): options.shared.display
    default: nil
    }
  }

  @Test("Each spelling is understood, in both subcommands")
  func spellings() throws {
    for command in ["run", "map"] {
      for name in ["--line-buffer", "--linebuffer", "--lb"] {
        #expect(try display("\(command) \(name) x")?.isLineBuffered == true)
      }
      for name in ["-u", "--ungroup"] {
        #expect(try display("\(command) \(name) x")?.isUngrouped == true)
      }
      #expect(try display("\(command) --tag x")?.tag == .input)
      #expect(try display("\(command) --tagstring t x")?.tag == .literal(bytes("t")))
      #expect(try display("\(command) x") == DisplayOptions())
    }
    #expect(try display("map -uq x")?.isUngrouped == true)
  }

  @Test("A tag has the bytes that its escapes name, as in GNU parallel; other text stays")
  func escapes() {
    func tag(_ text: String) -> [UInt8] {
      LineTag.literal(bytes(text)).bytes(TemplateInput([], number: 1))
    }
    #expect(tag(#"a\tb"#) == bytes("a\tb"))
    #expect(tag(#"\n\r\0"#) == [10, 13, 0])
    #expect(tag(#"\\t\x\"#) == bytes("\\\t\\x\\"))
  }

  @Test("The last of --tag and --tagstring counts")
  func last() throws {
    #expect(try display("run --tagstring t --tag x")?.tag == .input)
    #expect(try display("run --tag --tagstring t x")?.tag == .literal(bytes("t")))
  }

  @Test(
    "What -u excludes is named",
    arguments: ["--line-buffer", "-k", "--tag", "--progress", "--results -"]
  )
  func excluded(_ option: String) {
    for command in ["run", "map"] {
      let error = #expect(throws: UsageError.self) { try display("\(command) -u \(option) x") }
      #expect(error?.description.contains("it excludes \(option), ") == true)
    }
  }
}
