/// The sizes of answers.
enum AnswerLimit {
  /// The largest output that is sent within an answer: 16 KiB.
  static let inlineOutput = 16 << 10
  /// The size of a chunk of output: 32 KiB.
  static let outputChunk = 32 << 10
  /// Maximum bytes around a result in its frame: identifiers, names, usage.
  static let surroundings = 4 << 10
}
