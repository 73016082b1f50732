/// The last line of a stream, which an output without a final line feed leaves open.
struct LastLine {
  /// What may go on with a line that it has left open: an output of an operation with tags.
  struct Writer: Hashable {
    var operation: Int
    var stream: OutputStreams.Stream
  }

  private(set) var isOpen = false
  private var writer: Writer?

  /// Whether this output goes on with the line, so that no tag is put before its next text.
  func isOpen(by writer: Writer) -> Bool { isOpen && self.writer == writer }

  /// Notes the last byte of a text; nil for an empty one.
  mutating func wrote(_ last: UInt8?, by writer: Writer? = nil) {
    guard let last else { return }
    isOpen = last != UInt8(ascii: "\n")
    self.writer = writer
  }

  /// The output has ended: what comes next begins a line of its own.
  mutating func end(of writer: Writer) {
    if self.writer == writer { self.writer = nil }
  }

  /// Something that ends with a line feed was written.
  mutating func close() { isOpen = false }
}
