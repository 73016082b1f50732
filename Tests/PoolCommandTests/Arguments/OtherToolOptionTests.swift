import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: who types an option of another program learns what opool has for it.
@Suite("Options of other programs")
struct OtherToolOptionTests {
  private func error(_ words: String...) -> UsageError? {
    #expect(throws: UsageError.self) { try Invocation(arguments: words.map(bytes)) }
  }

  @Test("Each is unknown, and its hint is printed")
  func hints() {
    for option in OtherToolOption.all {
      for spelling in option.spellings {
        let error = error("map", spelling, "x", "echo")
        #expect(error?.message == "unknown option" && error?.hint == option.hint, "\(spelling)")
      }
    }
  }

  @Test("A value behind the letter, or behind =, does not hide it")
  func values() {
    #expect(error("map", "-i{}", "echo")?.hint?.hasPrefix("write -I R") == true)
    #expect(error("map", "-P4", "echo")?.hint == "write -j N")
    #expect(error("map", "--process-slot-var=A", "echo")?.hint?.hasPrefix("leave it out") == true)
    #expect(error("run", "--bar", "m")?.hint == "write --progress")
  }

  @Test("Every option that a hint names is one")
  func names() {
    let known = Set(Option.allCases.flatMap { $0.spellings(in: .map) + $0.spellings(in: .run) })
    for option in OtherToolOption.all where option.hint.hasPrefix("write -") {
      for word in option.hint.split(whereSeparator: { " ,;".contains($0) })
      where word.hasPrefix("-") { #expect(known.contains(String(word)), "\(option.hint)") }
    }
  }
}
