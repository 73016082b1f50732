import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// Answers the questions of other processes about a run, on a thread of its own.
final class RunDoor: Sendable {
  /// Shorter runs have no door: 1 s, in nanoseconds.
  static let delay = Int64.seconds(1)

  /// Milliseconds that a client may take for each read and write: it asks at once, on a machine
  /// that may have much to do; and less than the next client waits for its turn.
  private static let patience: Int32 = 500

  private let listener: LocalListener

  /// Opens the door of a run that began so many nanoseconds after 1970; throws where there can be
  /// no socket.
  init(
    in folder: RuntimeFolder,
    of process: Int32,
    from start: Int64,
    answering answer: @escaping @Sendable (RunQuestion, LocalPeer) -> RunAnswer
  ) throws(SystemFailure) {
    try folder.make()
    let name = RunFileName(.socket, start: start, process: process)
    let listener = try LocalListener(path: folder.path + [UInt8(ascii: "/")] + name.bytes)
    self.listener = listener
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-door", mask: .full) {
        while let client = listener.accept(milliseconds: Self.patience) {
          Self.serve(client, answer)
          Descriptors.close(client)
        }
      }.detach()
    } catch {
      listener.close()
      throw error
    }
  }

  /// A client that does not say, or take, everything in time is left alone.
  private static func serve(_ client: Int32, _ answer: (RunQuestion, LocalPeer) -> RunAnswer) {
    do throws(LocalConnection.Failure) {
      let line = try LocalConnection.readLine(client, limit: RunQuestion.limit)
      let reply = reply(to: line) { answer($0, LocalPeer(of: client)) }
      try LocalConnection.send(reply.bytes, to: client)
    } catch {}
  }

  private static func reply(to line: [UInt8], _ answer: (RunQuestion) -> RunAnswer) -> RunAnswer {
    do throws(JSONError) {
      return answer(try RunQuestion(line))
    } catch {
      return RunAnswer(
        Array("the run does not understand the question: \(error)\n".utf8),
        isAnswer: false
      )
    }
  }

  /// No process is answered any more.
  func close() { listener.close() }
}
