import PoolTestSupport

/// A random document, valid and not too large.
func randomDocument(using generator: inout SeededGenerator) -> [UInt8] {
  var bytes: [UInt8] = []
  appendValue(to: &bytes, depth: 0, using: &generator)
  return bytes
}

/// A random string with its quotes: escapes, surrogates, characters of all lengths.
func randomString(using generator: inout SeededGenerator) -> [UInt8] {
  let pieces = [
    "a", "key", "é", "€", "\u{1F980}", "/", "\\/", "\\n", "\\\\", "\\\"", "\\u00e9",
    "\\uD83E\\uDD80",
    "longer than eight bytes", "\u{7F}",
  ]
  let count = Int.random(in: 0...4, using: &generator)
  let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  return Array("\"\(text)\"".utf8)
}

private func appendValue(
  to bytes: inout [UInt8],
  depth: Int,
  using generator: inout SeededGenerator
) {
  let spaces = Array(
    [" ", "\n", "\t\r", "", "", ""].randomElement(using: &generator)?.utf8 ?? "".utf8
  )
  bytes += spaces
  switch Int.random(in: 0..<(depth < 4 ? 8 : 4), using: &generator) {
  case 0: bytes += randomString(using: &generator)
  case 1, 2: bytes += Array(scalars.randomElement(using: &generator)?.utf8 ?? "0".utf8)
  case 3: bytes += Array(String(Int64.random(in: .min ... .max, using: &generator)).utf8)
  case 4, 5: appendContainer("[]", to: &bytes, depth: depth, using: &generator)
  default: appendContainer("{}", to: &bytes, depth: depth, using: &generator)
  }
  bytes += spaces
}

private func appendContainer(
  _ brackets: String,
  to bytes: inout [UInt8],
  depth: Int,
  using generator: inout SeededGenerator
) {
  bytes += brackets.utf8.prefix(1)
  for index in 0..<Int.random(in: 0...3, using: &generator) {
    if index > 0 { bytes += Array(",".utf8) }
    if brackets == "{}" { bytes += Array("\"k\(index)\":".utf8) }
    appendValue(to: &bytes, depth: depth + 1, using: &generator)
  }
  bytes += brackets.utf8.suffix(1)
}

private let scalars = ["true", "false", "null", "0", "-1", "2.5", "1e3", "-0.25E-2", "12.0e+1"]
