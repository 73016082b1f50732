package import PoolSystem

/// A part of an open, unnamed file, which is closed with the last of its parts.
package struct OutputFile: Sendable {
  private let file: OpenFile
  package let range: Range<Int64>

  package var descriptor: Int32 { file.descriptor }
  package var byteCount: Int64 { Int64(range.count) }

  /// A whole file; takes over the descriptor.
  package init(descriptor: Int32, byteCount: Int64) {
    self.init(0..<byteCount, of: OpenFile(descriptor))
  }

  package init(_ range: Range<Int64>, of file: OpenFile) {
    self.file = file
    self.range = range
  }

  /// The part without its first bytes.
  package func dropFirst(_ count: Int64) -> Self {
    Self(min(range.lowerBound + count, range.upperBound)..<range.upperBound, of: file)
  }
}
