/// Joins lines that end in a blank with the next one that has a word, and leaves out others, as
/// `xargs -L` does.
struct LineJoiner {
  private var text: [UInt8]?

  /// Takes a line; returns the input that it ends, if it ends one.
  mutating func add(_ line: [UInt8]) -> [UInt8]? {
    if line.allSatisfy(ShellWords.isBlank) { return nil }
    let joined = (text ?? []) + line
    let goesOn = line.last.map(ShellWords.isBlank) ?? false
    text = goesOn ? joined : nil
    return goesOn ? nil : joined
  }

  /// The last input, which no further line continues; nil if there is none.
  mutating func last() -> [UInt8]? {
    defer { text = nil }
    return text
  }
}
