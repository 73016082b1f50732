import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: inputs are kept byte for byte, and freed when they are not needed any more.
@Suite("Inputs")
struct MapInputTests {
  @Test("Arguments are inputs, whatever is in them")
  func arguments() {
    #expect(MapInputs(arguments: []).count == 0)
    let texts = ["", "a\nb", "", "c"].map(bytes)
    let inputs = MapInputs(arguments: texts)
    #expect((0..<inputs.count).map { inputs[$0] } == texts.map { [$0] })
    #expect(MapInputs(arguments: [[0xFF]])[0] == [[0xFF]])
  }

  @Test("The fields of an input stay apart, empty ones too")
  func fields() {
    var inputs = MapInputs()
    let rows = [["a", "b"], ["", ""], [""], ["", "x", ""], ["a b", "c"]].map { $0.map(bytes) }
    for row in rows { inputs.append(row) }
    #expect((0..<inputs.count).map { inputs[$0] } == rows)
  }

  @Test("The text of inputs that are not needed any more is freed, and no other")
  func release() throws {
    let line = String(repeating: "x", count: 40_000)
    var inputs = MapInputs(arguments: (0..<20).map { bytes("\($0)\(line)") })
    let kept = 7
    for index in 0..<20 where index != kept { inputs.release(index) }
    #expect(inputs.byteCount < 100_000)
    #expect(inputs[kept] == [bytes("\(kept)\(line)")])
    #expect(inputs.length(of: 0) == 40_001)
    inputs.release(kept)
    #expect(inputs.byteCount == 0)
    #expect(inputs.count == 20)
  }

  @Test("Inputs that are freed before their block is full are freed with it")
  func earlyRelease() throws {
    var inputs = MapInputs()
    for _ in 0..<10 {
      inputs.append([[UInt8](repeating: 0x78, count: 20_000)])
      inputs.release(inputs.count - 1)
    }
    #expect(inputs.byteCount <= 80_000)
  }
}
