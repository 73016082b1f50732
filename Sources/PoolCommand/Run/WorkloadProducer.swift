import PoolInputs
import PoolSystem

/// Reads the input of a run while its operations execute, and submits each operation as soon as it
/// is known.
///
/// It has its own thread, because a read may block forever. It pauses while many inputs wait, so
/// that a fast source does not fill memory.
protocol WorkloadProducer: Sendable {
  /// How much may wait.
  var limits: InputReadAhead.Limits { get }
  /// The files that it reads.
  var files: [InputFile] { get }

  /// Submits operations until the input ends or ``RunSession/wantsInput()`` is false.
  func produce(for session: RunSession) throws
}

extension WorkloadProducer {
  var limits: InputReadAhead.Limits { .lines }

  /// Starts reading; ends the input of the session at the end.
  func start(for session: RunSession) throws(SystemFailure) {
    session.flow.limitInput(to: limits)
    try SystemThread.start(name: "opool-producer", mask: .full) {
      do {
        try produce(for: session)
      } catch let error as InputError {
        session.refuseInput(error.description, as: .usage)
      } catch {
        session.refuseInput("opool: the standard input cannot be read: \(error)", as: .usage)
      }
      session.endInput()
    }.detach()
  }
}
