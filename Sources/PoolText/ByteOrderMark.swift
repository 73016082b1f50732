/// The mark that some programs begin a text in UTF-8 with.
package enum ByteOrderMark {
  /// Number of bytes of the mark that a text begins with; 0 without one.
  package static func count(in text: some Sequence<UInt8>) -> Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return text.starts(with: mark) ? mark.count : 0
  }
}
