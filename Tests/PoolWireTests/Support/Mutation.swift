import PoolTestSupport

/// The bytes with one to three small changes of the kinds that break parsers.
func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...3, using: &generator) {
    let index = Int.random(in: 0...bytes.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0 where index < bytes.count: bytes.remove(at: index)
    case 1 where index < bytes.count:
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.insert(interestingBytes.randomElement(using: &generator) ?? 0, at: index)
    case 3 where index < bytes.count: bytes.insert(bytes[index], at: index)
    default: bytes.removeLast(min(bytes.count, Int.random(in: 0...2, using: &generator)))
    }
  }
  return bytes
}

private let interestingBytes =
  Array("\"\\{}[],:0-9.eEuntfrb/ \n\t\u{0}\u{7F}".utf8) + [
    0x80, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xFF,
  ]
