import PoolSystem

/// The worker's standard error.
extension WorkerConnection {
  /// Reads the worker's standard error once, and stores the end of it.
  func receiveError(with buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    guard isErrorOpen else { return .endOfFile }
    // Set before reading: a worker that finds its text gone must find this note.
    outbox?.beginReadingText()
    let transfer = channel.read(channel.error, into: buffer)
    switch transfer {
    case .wouldBlock: break
    case .endOfFile: closeError()
    case .bytes(let count):
      let text = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      noteBacktrace(in: text)
      keep(text)
    }
    outbox?.endReadingText(isMarked: unmarkedCount == 0)
    return transfer
  }

  private func keep(_ text: UnsafeRawBufferPointer) {
    guard printing != nil else { return error.append(text) }
    mayHavePrinted = true
    var excerpt = error
    printing?.stream.append(text) { excerpt.append($0) }
    error = excerpt
  }

  /// Looks at all that was read: of a long piece, the excerpt keeps only the end.
  private func noteBacktrace(in text: UnsafeRawBufferPointer) {
    guard crash == .none else { return }
    if CrashHeadline.beginsBacktrace(text, after: error.tail) { crash = .begun }
  }

  /// Whether it has begun to print a backtrace since the last call; true once.
  func takeCrash() -> Bool {
    guard crash == .begun else { return false }
    crash = .told
    return true
  }

  /// Number of bytes of text after the last mark.
  var unmarkedCount: Int { printing?.stream.unmarked.count ?? 0 }

  /// The text has ended.
  func endText() {
    var excerpt = error
    printing?.stream.end { excerpt.append($0) }
    error = excerpt
  }

  func closeError() {
    guard isErrorOpen else { return }
    isErrorOpen = false
    Descriptors.close(channel.error)
  }
}
