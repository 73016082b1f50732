/// The beginnings of texts whose length has a limit.
package enum WholeCharacters {
  /// The first bytes of a UTF-8 text, without a partial character at the end.
  package static func prefix(of text: [UInt8], upTo limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}
