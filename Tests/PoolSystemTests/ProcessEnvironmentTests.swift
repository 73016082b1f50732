import Testing

@testable import PoolSystem

/// Variables in the form that programs get.
@Suite("The environment of a process")
struct ProcessEnvironmentTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func texts(_ list: CStringList) -> [String] {
    list.strings.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A variable is appended as NAME=VALUE, and the last of a name that is set counts")
  func variables() {
    var environment = ProcessEnvironment()
    environment.append(bytes("A"), bytes("1"))
    environment.append(bytes("EMPTY"), [])
    environment.set([(bytes("A"), bytes("2")), (bytes("A"), bytes("3"))])
    #expect(texts(environment.entries) == ["EMPTY=", "A=3"])
    #expect(environment.entries.cut == nil)
    let seen = environment.entries.withPointers { list in
      (list[0].map { String(cString: $0) }, list[1].map { String(cString: $0) }, list[2] == nil)
    }
    #expect(seen == ("EMPTY=", "A=3", true))
  }

  @Test(
    "A string that C would truncate is known by the part before its first zero",
    arguments: [
      ("ab", "c", nil), ("a\0b", "c", "a"), ("ab", "\0c", "ab="), ("ab", "c\0", "ab=c"),
    ] as [(String, String, String?)]
  )
  func zeros(name: String, value: String, cut: String?) {
    var environment = ProcessEnvironment()
    environment.append(bytes("FIRST"), bytes("1"))
    environment.append(bytes(name), bytes(value))
    environment.append(bytes("LAST"), bytes("1\0"))
    #expect(environment.entries.cut == bytes(cut ?? "LAST=1"))
    #expect(environment.entries.strings.count == 3)
  }
}
