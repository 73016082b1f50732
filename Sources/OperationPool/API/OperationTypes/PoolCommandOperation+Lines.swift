import Synchronization

extension PoolCommandOperation {
  /// The lines of both outputs, while the command executes.
  ///
  /// ```swift
  /// let build = PoolCommandOperation(run: ["make", "-j4"])
  /// let lines = try build.lines()
  /// try queue.addOperation(build)
  /// for await line in lines where line.stream == .output { print(line.text) }
  /// ```
  ///
  /// Ask before the operation is added to a queue. Nothing is lost, and an output may have any
  /// length: if 256 KiB wait to be read, the command waits, too. So read the lines to the end, or
  /// release the sequence; then the rest is dropped. The outcome has the first 64 KiB of each
  /// output and its extent, and no limit applies. Lines of a command that is being ended are
  /// dropped if 4 MiB are waiting; ``PoolOutputLines/omittedByteCount`` counts them.
  ///
  /// The lines of one operation have one reader: further calls return the same sequence. Throws
  /// ``PoolError`` once the operation was added to a queue.
  public func lines() throws(PoolError) -> PoolOutputLines {
    OperationRegistry.process.noteLinesAreRead()
    let reader = life.withLock { life -> OutputLineReader? in
      guard !life.isAdded else { return nil }
      let reader = life.lineReader ?? OutputLineReader(OutputLines())
      (life.lineReader, life.outputLines) = (reader, reader.lines)
      return reader
    }
    guard let reader else { throw .alreadyAdded(self) }
    return PoolOutputLines(reader)
  }
}

extension PoolOperation {
  /// The reader of its outputs' lines, if it has one.
  var lines: OutputLines? { life.withLock { $0.hasColdState ? $0.outputLines : nil } }
}
