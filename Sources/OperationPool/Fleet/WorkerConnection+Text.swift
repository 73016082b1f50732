import PoolSystem

/// What the worker writes to its standard error.
extension WorkerConnection {
  /// Reads once what the worker wrote to its standard error, and keeps the end of it.
  func receiveError(with buffer: UnsafeMutableRawBufferPointer) -> SystemIO.Transfer {
    guard isErrorOpen else { return .endOfFile }
    // Before it is read: a worker that does not find its text any more finds this.
    outbox?.beginReadingText()
    let transfer = process.read(process.error, into: buffer)
    switch transfer {
    case .wouldBlock: break
    case .endOfFile: closeError()
    case .bytes(let count): keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
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

  /// Number of bytes that it has printed and that no mark follows yet.
  var unmarkedCount: Int { printing?.stream.unmarked.count ?? 0 }

  /// No more text comes.
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
