import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: sources are combined as GNU parallel combines them, and only what is needed is read.
@Suite("Combinations of inputs")
struct InputCombinationTests {
  /// The combinations of sources, each as its fields with blanks between them.
  private func combinations(_ sources: [(values: String, isLinked: Bool)]) throws -> [String] {
    var rest = sources.map { $0.values.split(separator: " ").map { bytes(String($0)) }[...] }
    var combination = InputCombination(linked: sources.map(\.isLinked))
    var rows: [String] = []
    while let row = try combination.next({ rest[$0].popFirst() }) {
      rows.append(row.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    }
    return rows
  }

  @Test("All combinations, of which the last source changes fastest")
  func products() throws {
    #expect(try combinations([("a b", false)]) == ["a", "b"])
    #expect(try combinations([("a b", false), ("1 2", false)]) == ["a 1", "a 2", "b 1", "b 2"])
    let three = try combinations([("a b", false), ("1 2 3", false), ("x y", false)])
    #expect(three.count == 12 && three[..<4] == ["a 1 x", "a 1 y", "a 2 x", "a 2 y"])
    #expect(try combinations([("a b", false), ("", false)]) == [])
    #expect(try combinations([("", false), ("1", false)]) == [])
  }

  @Test("Linked sources advance together and end with the shortest")
  func links() throws {
    #expect(try combinations([("a b c", false), ("1 2", true)]) == ["a 1", "b 2"])
    #expect(try combinations([("a", false), ("1 2", true)]) == ["a 1"])
    #expect(
      try combinations([("a b c", false), ("1 2 3", true), ("X Y", false), ("11 22", true)])
        == ["a 1 X 11", "a 1 Y 22", "b 2 X 11", "b 2 Y 22", "c 3 X 11", "c 3 Y 22"]
    )
    #expect(try combinations([("a", false), ("1", true), ("x", true)]) == ["a 1 x"])
  }

  @Test("The first source is read one by one, however long it is")
  func laziness() throws {
    var count = 0
    var others = [bytes("x"), bytes("y")][...]
    var combination = InputCombination(linked: [false, false])
    for _ in 0..<6 {
      _ = try combination.next { source throws(InputError) in
        guard source == 0 else { return others.popFirst() }
        count += 1
        return bytes("\(count)")
      }
    }
    #expect(count == 3)
  }
}
