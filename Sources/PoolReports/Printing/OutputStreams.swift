import PoolContents
import PoolModel
import PoolSystem
import PoolText

/// The standard output and error streams; either may be a terminal with a progress line.
///
/// Output for a terminal that hung up is dropped and counted. That is no failure: the other stream
/// may lead elsewhere, and the executing operations continue. The same applies to an error stream
/// that cannot be written, such as to a full disk: the outputs, for which the run was started, may
/// still be stored. Each write is tried, because there may be space again.
package struct OutputStreams {
  package enum Stream: Sendable {
    case output
    case error
  }

  /// Number of dropped writes of outputs, or of parts of them.
  private(set) var droppedCount = 0

  private let progress: ProgressLine
  private let hungUp: @Sendable () -> Void
  private let lost: @Sendable () -> Void
  private var hasToldHangUp = false
  private var output: Target
  private var error: Target
  /// Whether both streams lead to the same file, pipe or terminal.
  let isShared: Bool
  /// What breaks commands in text for each stream; nil where all text stays as it is.
  private var breakers: (output: CommandBreaker, error: CommandBreaker)?

  private struct Target {
    let descriptor: Int32
    let isTerminal: Bool
    let relation: LineRelation
    /// Whether it was a terminal that hung up.
    var isGone = false
    /// Number of bytes written to it.
    var takenCount: Int64 = 0

    var readCount: Int64 { takenCount - Int64(Descriptors.unreadByteCount(in: descriptor)) }

    init(_ descriptor: Int32, hasLine: Bool) {
      self.descriptor = descriptor
      isTerminal = Descriptors.isTerminal(descriptor)
      relation = LineRelation(
        hasLine: hasLine,
        isTerminal: isTerminal,
        isPipe: Descriptors.isPipe(descriptor)
      )
    }

    /// Whether a write failed because this was a terminal; one that hung up no longer reports as
    /// one.
    func hasHungUp(_ failure: SystemFailure) -> Bool {
      failure.isDeviceFault && Descriptors.isCharacterDevice(descriptor)
    }
  }

  /// The tags of an operation's lines, escaped for a stream that is a terminal.
  func tags(_ tag: [UInt8]?) -> LineTags {
    LineTags(tag, isOutputTerminal: output.isTerminal, isErrorTerminal: error.isTerminal)
  }

  /// The number of bytes written to each stream.
  var position: UnreadOutputs.Position {
    UnreadOutputs.Position(output: output.takenCount, error: error.takenCount)
  }

  /// The number of bytes read from each stream, as far as known; for a stream that is not a pipe,
  /// all of them.
  var readPosition: UnreadOutputs.Position {
    UnreadOutputs.Position(output: output.readCount, error: error.readCount)
  }

  /// Whether a pipe contains bytes that no reader will read.
  var hasLostReader: Bool {
    SystemIO.hasLostReader(output.descriptor) || SystemIO.hasLostReader(error.descriptor)
  }

  /// The streams of a printer.
  init(_ options: Printer.Options) {
    progress = options.progress ?? ProgressLine(on: options.error, nil)
    let place = FileIdentity(options.output)
    isShared = place != nil && place == FileIdentity(options.error)
    output = Target(options.output, hasLine: isShared)
    error = Target(options.error, hasLine: true)
    hungUp = options.hungUp
    lost = options.lost
    if options.breaksCommands { breakers = (CommandBreaker(), CommandBreaker()) }
  }

  /// Redraws the progress line if it shows something else by now.
  func showProgress() { progress.show() }

  /// Removes the progress line for good.
  func endProgress() { progress.end() }

  /// Writes a piece of an operation's output.
  mutating func write(_ piece: UnsafeRawBufferPointer, to stream: Stream) throws(SystemFailure) {
    guard breakers != nil else { return try writeAsIs(piece, to: stream) }
    try broken(piece, for: stream).withBytes { text throws(SystemFailure) in
      try writeAsIs(text, to: stream)
    }
  }

  /// Returns a piece for a stream without the commands that it may have.
  private mutating func broken(_ piece: UnsafeRawBufferPointer, for stream: Stream) -> [UInt8] {
    let text =
      stream == .output || isShared
      ? breakers?.output.broken(piece) : breakers?.error.broken(piece)
    return text ?? Array(piece)
  }

  private mutating func writeAsIs(
    _ piece: UnsafeRawBufferPointer,
    to stream: Stream
  ) throws(SystemFailure) {
    let (progress, isNoted) = (progress, isNoted(stream))
    try reach(stream, piece.count) { target throws(SystemFailure) in
      if target.relation == .sameTerminal {
        return try progress.write(piece, to: target.descriptor)
      }
      try progress.stepAside(for: target.relation) { () throws(SystemFailure) in
        try SystemIO.writeAll(target.descriptor, piece)
        if isNoted { progress.wrote(piece) }
      }
    }
  }

  /// Writes outputs of operations.
  mutating func write(_ bytes: [UInt8], to stream: Stream) throws(SystemFailure) {
    try bytes.withBytes { piece throws(SystemFailure) in try write(piece, to: stream) }
  }

  /// Writes the file with an operation's output.
  mutating func send(_ file: OutputFile, to stream: Stream) throws(SystemFailure) {
    guard breakers == nil else {
      return try SystemIO.forEachPiece(of: file.descriptor, file.range) {
        piece throws(SystemFailure) in try write(piece, to: stream)
      }
    }
    let (progress, isNoted) = (progress, isNoted(stream))
    try reach(stream, file.range.count) { target throws(SystemFailure) in
      try progress.stepAside(for: target.relation) { () throws(SystemFailure) in
        try SystemIO.send(file.descriptor, file.range, to: target.descriptor)
        guard isNoted else { return }
        let start = max(file.range.lowerBound, file.range.upperBound - Int64(PartialLine.limit))
        try SystemIO.forEachPiece(of: file.descriptor, start..<file.range.upperBound) {
          progress.wrote($0)
        }
      }
    }
  }

  /// Whether a message may follow what is written to a stream.
  private func isNoted(_ stream: Stream) -> Bool {
    guard stream == .output else { return true }
    return progress.isTerminal ? output.isTerminal : isShared
  }

  /// Throws if the system could not keep what was written to a stream; a terminal that hung up
  /// keeps nothing.
  func confirm(_ stream: Stream) throws(SystemFailure) {
    let target = stream == .output ? output : error
    if !target.isGone { try Descriptors.confirmWrites(to: target.descriptor) }
  }

  /// Writes a message of opool to the error stream; on its own line.
  ///
  /// A message that cannot be written is dropped, unless it must arrive or the reader of a pipe has
  /// gone.
  mutating func write(message: LineBatch, mustArrive: Bool = false) throws(SystemFailure) {
    guard !error.isGone else { return }
    let message = progress.openLine.needsLineFeed ? message.onNewLine : message
    do throws(SystemFailure) {
      try message.forEachPiece { piece throws(SystemFailure) in
        guard breakers != nil else {
          return try progress.write(piece, to: error.descriptor, isMessage: true)
        }
        try broken(piece, for: .error).withBytes { text throws(SystemFailure) in
          try progress.write(text, to: error.descriptor, isMessage: true)
        }
      }
    } catch {
      guard self.error.hasHungUp(error) else {
        if mustArrive || error.isBrokenPipe { throw error }
        return
      }
      self.error.isGone = true
    }
  }

  /// Writes commands for the reader of the error stream, whole lines; those that cannot be written
  /// are dropped.
  mutating func write(commands lines: [UInt8]) throws(SystemFailure) {
    let kept = breakers
    breakers = nil
    // They end with a line feed, which the error stream alone has.
    defer { breakers = kept.map { (isShared ? CommandBreaker() : $0.output, CommandBreaker()) } }
    try write(message: LineBatch(lines))
  }

  private mutating func reach(
    _ stream: Stream,
    _ count: Int,
    _ write: (Target) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    let target = stream == .output ? output : error
    if !target.isGone {
      do throws(SystemFailure) {
        try write(target)
        if stream == .output {
          output.takenCount += Int64(count)
        } else {
          self.error.takenCount += Int64(count)
        }
        return
      } catch {
        guard target.hasHungUp(error) else {
          if stream == .output || error.isBrokenPipe { throw error }
          droppedCount += 1
          return lost()
        }
        if stream == .output { output.isGone = true } else { self.error.isGone = true }
      }
    }
    if !hasToldHangUp { hungUp() }
    hasToldHangUp = true
    droppedCount += 1
  }
}
