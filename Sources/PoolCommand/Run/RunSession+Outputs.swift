import OperationPool
import PoolContents
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

// What other processes ask of the outputs of operations; called on the thread of the run's door.

extension RunSession {
  /// How long a question waits for the worker, which is asked again if it is busy: 200 ms.
  private static let tailPatience = Int64.milliseconds(200)

  func outputAnswer(_ question: RunQuestion.OutputQuestion) -> RunAnswer {
    let id = question.id
    guard let number = number(of: id), number < workload.count else {
      let what = number(of: id) == nil ? "no operation is called" : "a group has no output:"
      return RunAnswer(Array("\(what) '\(Printable.name(id))'\n".utf8), isAnswer: false)
    }
    return RunAnswer(reply(number, question).line(of: id))
  }

  private func reply(_ number: Int, _ question: RunQuestion.OutputQuestion) -> OutputReply {
    if let execution = runProgress.execution(of: number) {
      followed.follow(number, since: execution.start, toItsEnd: question.isFollowing)
      return executing(number, since: execution.start, question)
    }
    if let followed = followed.ended(number) { return reply(followed, question) }
    guard recorder.ending(of: number) != nil else { return OutputReply(.waiting) }
    return OutputReply(.ended, place: place(of: number), reason: Self.unkept)
  }

  private static let unkept = "the run does not keep outputs; --results DIR/ does"

  /// From what has ended while it was asked about.
  private func reply(
    _ followed: FollowedOutputs.Followed,
    _ question: RunQuestion.OutputQuestion
  ) -> OutputReply {
    guard let outputs = followed.outputs else { return OutputReply(.executing) }
    let limit = TailRequest.limit
    let written = WrittenOutputs(
      output: outputs.output.piece(limit, from: question.output),
      error: outputs.error.piece(limit, from: question.error)
    )
    if written.output.bytes.isEmpty, written.error.bytes.isEmpty {
      self.followed.conclude(followed.number)
    }
    return OutputReply(.ended, start: followed.start, written: written)
  }

  private func executing(
    _ number: Int,
    since start: Instant,
    _ question: RunQuestion.OutputQuestion
  ) -> OutputReply {
    let isDirect =
      workload.isCommand(number) && printing.outputHandling(of: number) == .direct
    if isDirect {
      let reason = "its output goes to the streams of the run by itself (--ungroup)"
      return OutputReply(.executing, start: start, reason: reason)
    }
    let answer = Monitor<WrittenOutputs??>(nil)
    let request = TailRequest(output: question.output, error: question.error)
    control.engine.tail(of: number, request) { written in
      answer.withLock { $0 = .some(written) }
      answer.broadcast()
    }
    _ = answer.wait(until: MonotonicClock.now + Self.tailPatience) { $0 == nil }
    guard let written = answer.withLock({ $0 }) else {
      // Its worker is busy, or the operation ends just now.
      return OutputReply(.executing, start: start, written: nothing(question))
    }
    if let written { return OutputReply(.executing, start: start, written: written) }
    // The standard workers say it, so this one has just ended.
    let isSaid = workload.isCommand(number) && options.workers.isEmpty
    guard !isSaid, runProgress.execution(of: number)?.start == start else {
      return OutputReply(.executing, start: start, written: nothing(question))
    }
    let reason = "what it writes is known when it has ended: its worker does not say it before"
    return OutputReply(.executing, start: start, reason: reason)
  }

  /// Pieces without bytes.
  private func nothing(_ question: RunQuestion.OutputQuestion) -> WrittenOutputs {
    WrittenOutputs(
      output: WrittenPiece(end: question.output),
      error: WrittenPiece(end: question.error)
    )
  }

  /// Where the output of an operation that has ended is.
  private func place(of number: Int) -> OutputReply.Place? {
    guard let path = options.results, path != Array("-".utf8) else { return nil }
    if let folder { return .folder(absolute(folder.folder.place(of: number, in: workload))) }
    return .file(absolute(path))
  }

  private func absolute(_ path: [UInt8]) -> [UInt8] {
    FileCheck.path(path, from: CurrentProcess.folder)
  }
}
