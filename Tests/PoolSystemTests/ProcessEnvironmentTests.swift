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
}
