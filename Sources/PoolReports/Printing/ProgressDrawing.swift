/// The lines of progress that a terminal shows, and the bytes that change them.
struct ProgressDrawing {
  private let features: TerminalFeatures
  private var screen = ProgressScreen()
  /// The latest text.
  private var text: ProgressText?
  /// What the terminal shows beside its text.
  private var share = TerminalShare.none

  /// A terminal without such lines.
  init(_ features: TerminalFeatures) {
    self.features = features
  }

  var isShown: Bool { screen.isShown }

  /// Returns the bytes that show a text; none if it is there already.
  mutating func show(_ text: ProgressText, columns: Int) -> [UInt8] {
    self.text = text
    let bytes = shareBytes(text.share) + screen.show(text.lines, columns: columns)
    return features.update(bytes)
  }

  /// Returns the bytes that remove the lines, write other text, and draw new lines; nil for none.
  mutating func frame(
    around other: UnsafeRawBufferPointer,
    _ text: ProgressText?,
    columns: Int
  ) -> [UInt8] {
    self.text = text
    return frame(around: other, columns: columns)
  }

  /// The same with the latest text.
  mutating func frame(around other: UnsafeRawBufferPointer, columns: Int) -> [UInt8] {
    let share = text.map { shareBytes($0.share) } ?? []
    return features.update(screen.frame(around: other, text?.lines, columns: columns) + share)
  }

  /// Returns other text alone: the terminal belongs to a shell, and so does what stands there.
  mutating func pass(_ other: UnsafeRawBufferPointer) -> [UInt8] {
    _ = screen.clear()
    wrote(other)
    return Array(other)
  }

  /// Returns the bytes that remove the lines.
  mutating func clear() -> [UInt8] { screen.clear() }

  /// Returns the bytes that remove the lines, and what is shown beside them.
  mutating func withdraw() -> [UInt8] {
    let bytes = screen.clear()
    return bytes + shareBytes(.none)
  }

  /// Notes other text.
  mutating func wrote(_ other: UnsafeRawBufferPointer) {
    screen.wrote(other)
  }

  private mutating func shareBytes(_ share: TerminalShare) -> [UInt8] {
    guard features.showsShare, share != self.share else { return [] }
    self.share = share
    return Array(share.sequence.utf8)
  }
}
