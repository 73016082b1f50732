/// The layout of frames on the pipes.
///
/// A frame is a 4-byte big-endian byte count and that many bytes: one JSON object in UTF-8, ended
/// by a line feed. `Protocol/README.md` is the normative text.
package enum Frame {
  /// Bytes of the count before each body.
  package static let headerLength = 4

  /// The bit of the count that announces an attachment: bytes that belong to the next frame's
  /// message.
  static let attachmentBit: UInt32 = 1 << 31

  /// The largest body, unless another limit is agreed: 64 MiB for a payload, which is the limit of
  /// a manifest's line, and 64 KiB for the rest of the message.
  package static let defaultLimit = 64 << 20 + 64 << 10

  /// The first bytes of a worker's output.
  package static let magic = Array("OPOOL-WORKER 1\n".utf8)

  /// The start of any greeting: a line that continues differently from the magic line is wrong.
  package static let magicWord = Array("OPOOL-WORKER".utf8)

  /// Maximum number of bytes before the magic line, such as a login banner: 64 KiB.
  package static let noiseLimit = 64 << 10
}
