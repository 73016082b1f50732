import Testing

@testable import PoolSystem

@Suite("Environments")
struct ProcessEnvironmentTests {
  /// A sequence that counts how many of its elements were taken.
  private final class Counted<Element>: Sequence {
    private let elements: [Element]
    private(set) var count = 0

    init(_ elements: [Element]) { self.elements = elements }

    func makeIterator() -> some IteratorProtocol<Element> {
      var iterator = elements.makeIterator()
      return AnyIterator {
        let next = iterator.next()
        if next != nil { self.count += 1 }
        return next
      }
    }
  }

  private typealias Variable = (name: [UInt8], value: [UInt8])

  private func variable(_ name: String, _ value: String) -> Variable {
    (Array(name.utf8), Array(value.utf8))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func texts(_ list: CStringList) -> [String] {
    list.strings.map { String(decoding: $0, as: UTF8.self) }
  }

  private func texts(_ entries: [[UInt8]]) -> [String] {
    entries.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Setting 10,000 variables looks at each variable, and at each entry, once")
  func linear() {
    let names = 0..<10_000
    let variables = Counted(names.map { variable("V\($0)", "new") })
    let old = Counted(names.map { ArraySlice("V\($0 * 2)=old".utf8) })
    let merged = ProcessEnvironment.merge(variables, into: old)
    #expect((variables.count, old.count) == (10_000, 10_000))
    #expect(merged.count == 15_000)
  }

  @Test("The last value of a name counts, and names are compared whole")
  func replaced() {
    let entries = ["A=1", "AB=2", "B", "C=3=4"].map { ArraySlice($0.utf8) }
    let variables = [variable("A", "x"), variable("D", "y"), variable("A", ""), variable("C", "z")]
    let merged = texts(ProcessEnvironment.merge(variables, into: entries))
    #expect(merged == ["AB=2", "B", "A=", "D=y", "C=z"])
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

  @Test("The first variables are kept, with what is known of their zeros; copies stay whole")
  func kept() {
    var environment = ProcessEnvironment()
    environment.append(bytes("A"), bytes("1"))
    environment.append(bytes("B"), bytes("2\0"))
    environment.append(bytes("C"), bytes("3\0"))
    let copy = environment
    environment.keep(first: 3)
    #expect(environment == copy && environment.count == 3)
    environment.keep(first: 2)
    #expect(environment.entries.cut == bytes("B=2") && environment.count == 2)
    environment.keep(first: 1)
    #expect(texts(environment.entries) == ["A=1"] && environment.entries.cut == nil)
    environment.append(bytes("D"), bytes("4"))
    #expect(texts(environment.entries) == ["A=1", "D=4"] && environment.entries.cut == nil)
    #expect(copy.entries.cut == bytes("B=2") && copy.count == 3)
    environment.keep(first: 0)
    #expect(environment == ProcessEnvironment())
  }
}

extension ProcessEnvironment {
  fileprivate mutating func append(_ name: [UInt8], _ value: [UInt8]) {
    name.withUnsafeBufferPointer { name in value.withUnsafeBufferPointer { append(name, $0) } }
  }
}
