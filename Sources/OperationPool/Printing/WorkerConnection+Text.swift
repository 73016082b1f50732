import PoolSystem

/// The worker's standard error.
extension WorkerConnection {
  /// Reads the worker's standard error once, and stores the end of it.
  func receiveError(with buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    guard isErrorOpen else { return .endOfFile }
    // Set before reading: a worker that finds its text gone must find this note.
    outbox?.beginReadingText()
    let transfer = process.read(process.error, into: buffer)
    switch transfer {
    case .wouldBlock: break
    case .endOfFile: closeError()
    case .bytes(let count):
      keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      noteBacktrace(within: count)
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

  /// Notes whether the last bytes that were read, or the line that they end, begin a backtrace.
  private func noteBacktrace(within count: Int) {
    guard crash == .none else { return }
    if CrashHeadline.beginsBacktrace(error.tail.suffix(count + 64)) { crash = .begun }
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
    Descriptors.close(process.error)
  }
}
