import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// Contract: each text has a name of its own that leads nowhere else and fits a file system.
@Suite("Names in a folder of results")
struct ResultsNameTests {
  private func name(_ text: String) -> String {
    String(decoding: ResultsName.name(of: bytes(text)), as: UTF8.self)
  }

  @Test("are those of GNU parallel, where these are safe")
  func parallel() {
    #expect(name("a/b c") == #"a\_b c"#)
    #expect(name(#"a\b"#) == #"a\\b"#)
    #expect(name("a\tb\0c\nd") == #"a\tb\0c"# + "\nd")
    #expect(name("-é.…") == "-é.…")
  }

  @Test("never lead out of the folder, and are never empty")
  func escape() {
    #expect(name("") == #"\empty"#)
    #expect(name(".") == #"\."#)
    #expect(name("..") == #"\.."#)
    #expect(name("../..") == #"..\_.."#)
    #expect(name(#"\empty"#) == #"\\empty"#)
  }

  @Test("of texts that are too long have a hash at their end, and no part of a character")
  func long() {
    #expect(name(String(repeating: "x", count: 255)).utf8.count == 255)
    #expect(name(String(repeating: "x", count: 256)).utf8.count == 255)
    #expect(name(String(repeating: "/", count: 127) + "x").utf8.count == 255)
    #expect(name(String(repeating: "/", count: 128)).utf8.count == 255)
    for start in ["", "a", "ab", "abc"] {
      let name = ResultsName.name(of: bytes(start + String(repeating: "🙂", count: 100)))
      #expect(name.count <= 255 && String(validating: name, as: UTF8.self) != nil)
    }
    // Bytes that are no characters are cut at most three bytes early.
    #expect(ResultsName.name(of: [UInt8](repeating: 0x80, count: 1_000)).count >= 252)
    let start = String(repeating: "x", count: 1_000)
    #expect(name(start + "1") != name(start + "2"))
  }

  @Test("differ for different texts, and are plain", arguments: RandomSeeds.first(20))
  func distinct(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var texts: [[UInt8]: [UInt8]] = [:]
    let letters = bytes("\\/.\t_t0~#e") + [0, 0x80, 0xC3]
    for _ in 0..<2_000 {
      let count = Bool.random(using: &generator) ? Int.random(in: 0...4, using: &generator) : 250
      let text = (0..<count).map { _ in letters.randomElement(using: &generator) ?? 0 }
      let name = ResultsName.name(of: text)
      #expect(!name.isEmpty && name.count <= 255, "seed \(seed)")
      #expect(!name.contains(UInt8(ascii: "/")) && !name.contains(0), "seed \(seed)")
      #expect(name != bytes(".") && name != bytes(".."), "seed \(seed)")
      #expect(texts[name] == nil || texts[name] == text, "seed \(seed): \(text)")
      texts[name] = text
    }
  }
}

/// Contract: the path of an operation depends on the batch alone, and no two are the same.
@Suite("Paths in a folder of results")
struct ResultsPathTests {
  private func batch(_ inputs: [[String]], _ labels: FieldLabels) throws -> MapWorkload {
    var list = MapInputs()
    for fields in inputs { list.append(fields.map { bytes($0) }) }
    let template = try Template(command: [bytes("echo")])
    return MapWorkload(template: template, inputs: InputList(list), labels: labels)
  }

  private func paths(
    _ inputs: [[String]],
    _ labels: FieldLabels = FieldLabels(),
    step: Int = .max
  ) throws -> [String] {
    let batch = try batch(inputs, labels)
    var paths = ResultsPaths()
    for start in stride(from: 0, to: batch.count, by: min(step, batch.count)) {
      paths.add(start..<min(start + min(step, batch.count), batch.count), of: batch)
    }
    return (0..<batch.count).map { operation in
      paths.names(of: operation, in: batch).map { String(decoding: $0, as: UTF8.self) }
        .joined(separator: "/")
    }
  }

  @Test("have the number of the source before each input")
  func sources() throws {
    #expect(try paths([["a"], ["b/c"]]) == ["1/a", #"1/b\_c"#])
    let two = FieldLabels(recordLength: 2)
    #expect(try paths([["a", "b"]], two) == ["1/a/2/b"])
    #expect(try paths([["a", "b"], ["c"]]) == ["1/a/1/b", "1/c"])
    #expect(try paths([["a", "b", "c", "d"]], two) == ["1/a/2/b/1/c/2/d"])
    #expect(try paths([["a", "b", "c"]], FieldLabels(recordLength: .max)) == ["1/a/2/b/3/c"])
  }

  @Test("have the names of columns, in the order of these")
  func names() throws {
    let named = FieldLabels(recordLength: 3, names: [bytes("z"), bytes("a/b"), bytes("")])
    #expect(try paths([["1", "2", "3"]], named) == [#"\empty/3/a\_b/2/z/1"#])
    #expect(try paths([["1"]], named) == ["z/1"])
    let few = FieldLabels(recordLength: .max, names: [bytes("n"), bytes("n")])
    #expect(try paths([["1", "2", "3"]], few) == ["n/1/n/2/3/3"])
  }

  @Test("of equal inputs have the numbers of the later ones", arguments: [1, 2, 5])
  func repeated(step: Int) throws {
    let inputs = [["a"], ["b"], ["a"], ["a"], [##"a\#3"##]]
    #expect(
      try paths(inputs, step: step) == ["1/a", "1/b", ##"1/a\#3"##, ##"1/a\#4"##, ##"1/a\\#3"##]
    )
  }

  @Test("are never deeper than the limit, and differ all the same")
  func deep() throws {
    let fields = (0..<100).map { "\($0)" }
    let paths = try paths([fields, fields.dropLast() + ["x"]])
    for path in paths {
      #expect(path.split(separator: "/").count == ResultsPaths.depthLimit)
    }
    #expect(paths[0] != paths[1])
  }

  @Test("of a manifest are the identifiers")
  func identifiers() throws {
    let manifest = try Manifest(bytes(#"{"id":"a/b","shell":"true"}"# + "\n"))
    var paths = ResultsPaths()
    paths.add(0..<1, of: manifest)
    #expect(paths.names(of: 0, in: manifest) == [bytes(#"a\_b"#)])
  }
}
