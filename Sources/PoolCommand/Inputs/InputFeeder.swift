import PoolSystem

/// Reads the lines of the standard input and submits each as soon as it is there, for `map`.
///
/// It has a thread of its own, since reading may wait for ever. So that a fast source fills no
/// memory with operations that wait, it holds back while many do.
struct InputFeeder: Sendable {
  let inputs: InputList

  /// How many operations may wait before reading is held back.
  static let pendingLimit = 10_000
  /// How many bytes their inputs may have in all, before reading is held back: 32 MiB.
  static let pendingByteLimit = 32 << 20

  init(_ inputs: InputList) {
    self.inputs = inputs
  }

  /// Starts reading; the session hears of each piece, and of the end.
  func start(for session: RunSession) throws(SystemFailure) {
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

  private func feed(_ session: RunSession) throws {
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
      // What came before it is executed.
      if let refusal { throw refusal }
    }
    submit(to: session) { $0.finish() }
  }

  private func submit(to session: RunSession, _ extend: (inout MapInputs) -> Void) {
    let (operations, byteCount) = inputs.extend(extend)
    session.submit(operations, byteCount: byteCount)
  }
}
