package import PoolContents
import PoolSystem

/// The two outputs of an operation.
package struct OutputPair: Sendable {
  package var output: OutputContent
  package var error: OutputContent

  package init(output: OutputContent, error: OutputContent) {
    (self.output, self.error) = (output, error)
  }

  /// No output.
  package static let empty = Self(output: .empty, error: .empty)

  package var isEmpty: Bool { output.isEmpty && error.isEmpty }

  /// The same without their bytes.
  package var counted: Self {
    Self(
      output: .rest(.empty, after: PassedOutput(byteCount: output.byteCount)),
      error: .rest(.empty, after: PassedOutput(byteCount: error.byteCount))
    )
  }

  /// Whether storing them takes long: more than a MiB has to be copied.
  package var isLong: Bool {
    (output.isFile || error.isFile) && output.byteCount + error.byteCount > Self.longCount
  }

  /// The most that is stored at once, without a thread of its own: 1 MiB.
  static let longCount = 1 << 20

  /// Number of its open descriptors.
  var fileCount: Int { (output.isFile ? 1 : 0) + (error.isFile ? 1 : 0) }
}

extension ResultContent {
  /// Whether storing it takes long: more than a MiB becomes JSON.
  package var isLong: Bool { storedCount > OutputPair.longCount }
}
