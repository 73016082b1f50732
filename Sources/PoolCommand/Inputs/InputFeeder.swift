import PoolSystem

/// Reads the input of a run while operations of it execute, and submits each as soon as it is
/// known.
///
/// It has its own thread, since a read may block for ever. It pauses while much waits, so that a
/// fast source does not fill memory.
protocol BatchFeeder: Sendable {
  /// How much may wait.
  var limits: InputRoom.Limits { get }

  /// Submits operations until the input ends or ``RunSession/wantsInput()`` is false.
  func feed(_ session: RunSession) throws
}

extension BatchFeeder {
  var limits: InputRoom.Limits { .lines }

  /// Starts reading; calls the session for each piece, and at the end.
  func start(for session: RunSession) throws(SystemFailure) {
    session.limitInput(to: limits)
    try SystemThread.start(name: "opool-feeder", mask: .full) {
      do {
        try feed(session)
      } catch let error as UsageError {
        session.refuseInput(error.description, as: .usage)
      } catch {
        session.refuseInput("opool: the standard input cannot be read: \(error)", as: .usage)
      }
      session.endInput()
    }.detach()
  }
}

/// Reads the lines of the standard input for `map`.
struct InputFeeder: BatchFeeder {
  let inputs: InputList

  init(_ inputs: InputList) {
    self.inputs = inputs
  }

  func feed(_ session: RunSession) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while session.wantsInput() {
      let count = try SystemIO.readWaiting(0, into: buffer)
      guard count > 0 else { break }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      var refusal: UsageError?
      submit(to: session) { inputs in
        do throws(UsageError) { try inputs.append(piece) } catch { refusal = error }
      }
      // The lines before the error are executed.
      if let refusal { throw refusal }
    }
    submit(to: session) { $0.finish() }
  }

  private func submit(to session: RunSession, _ extend: (inout MapInputs) -> Void) {
    let (operations, byteCount) = inputs.extend(extend)
    session.submit(operations, byteCount: byteCount)
  }
}
