/// The layout of what travels on the pipes.
///
/// A frame is a 4-byte big-endian byte count and that many bytes: one JSON object in UTF-8, ended
/// by a line feed. `Protocol/README.md` is the normative text.
package enum Frame {
  /// Bytes of the count before each body.
  package static let headerLength = 4

  /// The largest body that is read when nothing else was agreed: 64 MiB for a payload, which is
  /// what a line of a manifest may have, and 64 KiB for what is around it.
  package static let defaultLimit = 64 << 20 + 64 << 10

  /// The first bytes of every worker.
  package static let magic = Array("OPOOL-WORKER 1\n".utf8)

  /// How a line begins that is a greeting: one that goes on otherwise than the magic line is wrong.
  package static let magicWord = Array("OPOOL-WORKER".utf8)

  /// How much may come before the magic line, a login banner for example: 64 KiB.
  package static let noiseLimit = 64 << 10
}
