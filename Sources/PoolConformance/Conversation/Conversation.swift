package import PoolModel
package import PoolWire

/// The course of one case with one worker: told what the worker does, it says what to do next.
///
/// It knows no process and no clock. Messages of other types than those that a step is about are
/// passed over, and so are messages about dispatches that were answered before: that they come at
/// all is a matter of ``ConversationRules``.
package struct Conversation {
  /// What to do next.
  package enum Demand: Hashable, Sendable {
    /// Write these pieces, each in one call.
    case write([[UInt8]])
    case closeInput
    /// Wait until something happens, at most until then.
    case wait(until: Instant)
    /// The process has ended: find out whether another one of the worker's lives on.
    case lookForProcesses(until: Instant)
    /// The case has ended.
    case end
  }

  /// Why a case fails.
  package struct Failure: Error, Hashable, Sendable {
    /// What is wrong, as a sentence without a full stop.
    package var message: String
    /// The frame that is wrong, if there is one.
    package var frame: ShownFrame?
    /// The latest frames of both sides.
    package var frames: [ShownFrame] = []
    /// The last lines of the worker's standard error.
    package var standardError: [String] = []
  }

  /// A rule that a message has broken.
  package struct Finding: Hashable, Sendable {
    package var rule: ConversationRules.Rule
    package var failure: Failure
  }

  private let steps: [Step]
  private let placeholders: Placeholders
  private let usualLimit: Int64
  private var position = 0
  /// When the present step's time ends; nil before the step has begun.
  private var deadline: Instant?
  private var worker: WorkerSide
  /// Dispatches that were sent and are not answered, by their digits.
  private var unanswered: Set<String> = []
  private var answered: Set<String> = []
  /// Dispatches for which `executing` has come.
  private var begun: Set<String> = []
  private var processesLeft: [Int32]?
  private var failure: Failure?

  /// A conversation by these steps, each of which may take so many nanoseconds.
  package init(_ steps: [Step], _ placeholders: Placeholders, within usualLimit: Int64) {
    (self.steps, self.placeholders, self.usualLimit) = (steps, placeholders, usualLimit)
    worker = WorkerSide()
  }

  /// What the worker has said in its `hello`.
  package var hello: Hello? { worker.rules.hello }
  /// The rules that were broken, each once.
  package var findings: [Finding] { worker.findings }
  /// Whether the worker has ended its output.
  package var hasOutputEnded: Bool { worker.hasEnded }
  /// Whether an operation has no answer yet.
  package var isBusy: Bool { worker.rules.isBusy }

  /// Nil if the case has passed; call it after its end.
  package var outcome: Failure? {
    guard var failure else { return nil }
    failure.frames = worker.frames
    failure.standardError = worker.errorLines
    return failure
  }
}

// MARK: - What the worker does

extension Conversation {
  package mutating func received(_ bytes: UnsafeRawBufferPointer) { worker.received(bytes) }

  package mutating func receivedError(_ bytes: UnsafeRawBufferPointer) {
    worker.receivedError(bytes)
  }

  package mutating func outputEnded() { worker.outputEnded() }

  package mutating func exited(_ status: PoolExitStatus) { worker.exit = status }

  /// The processes of the worker's that live on.
  package mutating func found(processes: [Int32]) { processesLeft = processes }
}

// MARK: - What follows

extension Conversation {
  /// Goes on as far as possible; returns what to do next.
  package mutating func next(at now: Instant) -> Demand {
    do throws(Failure) {
      while failure == nil, position < steps.count {
        if let demand = try perform(steps[position], now) { return demand }
      }
    } catch {
      failure = error
    }
    return .end
  }

  /// Performs a step, or as much as is possible; nil if it has ended and needs nothing.
  private mutating func perform(_ step: Step, _ now: Instant) throws(Failure) -> Demand? {
    switch step.action {
    case .send(let outgoing):
      advance()
      return .write(say(outgoing))
    case .closeInput:
      advance()
      worker.show(ShownFrame(.toWorker, event: "end of input"))
      return .closeInput
    case .expect(let expectation):
      if try hear(expectation) { return advance() }
      return try wait(step, now, expectation.words)
    case .expectAnswers:
      if hearAnswers() { return advance() }
      return try wait(step, now, "the answers to all operations")
    case .expectExit(let demand): return try perform(demand, step, now)
    case .expectStandardError(let text):
      let text = Array(text.utf8)
      if text.isEmpty ? !worker.errorText.isEmpty : worker.errorText.contains(text) {
        return advance()
      }
      let words = text.isEmpty ? "a reason" : "\"\(Printable.text(text))\""
      return try wait(step, now, "\(words) on the standard error", needsOutput: false)
    }
  }

  /// Goes to the next step.
  @discardableResult
  private mutating func advance() -> Demand? {
    position += 1
    deadline = nil
    return nil
  }

  private mutating func perform(
    _ demand: ExitDemand,
    _ step: Step,
    _ now: Instant
  ) throws(Failure) -> Demand? {
    guard let exit = worker.exit else {
      return try wait(step, now, "the worker's end", needsOutput: false)
    }
    if demand.status == .failure {
      if exit == .exited(0) {
        throw Failure(message: "the worker should end otherwise than with status 0")
      }
    }
    guard demand.leavesNothing else { return advance() }
    guard let processesLeft else { return .lookForProcesses(until: limit(step, now)) }
    guard processesLeft.isEmpty else {
      let list = processesLeft.map(String.init).joined(separator: ", ")
      throw Failure(message: "the worker has ended, but of its processes these live on: \(list)")
    }
    return advance()
  }

  private mutating func limit(_ step: Step, _ now: Instant) -> Instant {
    let limit = deadline ?? now.advanced(by: max(step.within ?? 0, usualLimit))
    deadline = limit
    return limit
  }

  /// Waits for something, unless its time is over or it can no longer come.
  private mutating func wait(
    _ step: Step,
    _ now: Instant,
    _ words: String,
    needsOutput: Bool = true
  ) throws(Failure) -> Demand {
    if needsOutput, let violation = worker.violation {
      let message = "instead of \(words), the worker \(violation.text)"
      throw Failure(message: message, frame: violation.frame)
    }
    if needsOutput, worker.hasEnded, let exit = worker.exit {
      throw Failure(message: "instead of \(words), the worker \(exit.words)")
    }
    let end = limit(step, now)
    guard now < end else {
      let time = Printable.seconds(max(step.within ?? 0, usualLimit))
      throw Failure(message: "\(words) did not come within \(time)")
    }
    return .wait(until: end)
  }
}

// MARK: - Speaking

extension Conversation {
  private mutating func say(_ outgoing: Outgoing) -> [[UInt8]] {
    let bytes: [UInt8]
    switch outgoing.content {
    case .messages(let messages):
      bytes = messages.flatMap { say(body: placeholders.fill($0).json + [UInt8(ascii: "\n")]) }
    case .packed(let message):
      let packed = PackedMessage(placeholders.fill(message))
      bytes =
        packed.header + packed.attachment
        + say(body: packed.message.json + [UInt8(ascii: "\n")], packed.attachment)
    case .body(let text): bytes = say(body: Array(placeholders.fill(text).utf8))
    case .bytes(let raw):
      worker.show(ShownFrame(.toWorker, raw: raw))
      bytes = raw
    }
    guard let size = outgoing.pieces, size > 0 else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
  }

  /// Notes what the coordinator says; returns the frame.
  private mutating func say(body: [UInt8], _ attachment: [UInt8]? = nil) -> [UInt8] {
    let message = try? JSONNode(body)
    worker.show(ShownFrame(.toWorker, body: body, type: message?["type"]?.text))
    worker.noteSent(body, attachment)
    if message?["type"]?.text == "execute", let dispatch = message?["dispatch"]?.digits {
      unanswered.insert(dispatch)
    }
    let count = UInt32(truncatingIfNeeded: body.count)
    return withUnsafeBytes(of: count.bigEndian) { Array($0) } + body
  }
}

// MARK: - Hearing

extension Conversation {
  /// Whether the expected message has come.
  private mutating func hear(_ expectation: Expectation) throws(Failure) -> Bool {
    while let heard = worker.take() {
      let isOld = isOld(heard)
      note(heard)
      guard !isOld, expectation.types.contains(heard.type) else { continue }
      if expectation.endings.contains(where: { $0.matches(heard.message) }) {
        position = steps.count - 1
        return true
      }
      guard expectation.patterns.contains(where: { $0.matches(heard.message) }) else {
        throw Failure(
          message: "instead of \(expectation.words), this came",
          frame: heard.frame
        )
      }
      return true
    }
    return false
  }

  private mutating func hearAnswers() -> Bool {
    while !unanswered.isEmpty, let heard = worker.take() { note(heard) }
    return unanswered.isEmpty
  }

  /// Whether the message is about a dispatch that was answered before, or its second `executing`.
  private func isOld(_ heard: WorkerSide.Heard) -> Bool {
    guard let dispatch = heard.dispatch else { return false }
    return answered.contains(dispatch) || heard.type == "executing" && begun.contains(dispatch)
  }

  private mutating func note(_ heard: WorkerSide.Heard) {
    guard let dispatch = heard.dispatch else { return }
    if heard.type == "executing" { begun.insert(dispatch) }
    if heard.isAnswer, unanswered.remove(dispatch) != nil { answered.insert(dispatch) }
  }
}

extension Expectation {
  /// What is waited for, in a sentence.
  var words: String {
    patterns.map { String(decoding: $0.node.json, as: UTF8.self) }.joined(separator: " or ")
  }
}

extension PoolExitStatus {
  /// How a worker has ended, as the end of a sentence about it.
  var words: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signaled(let number): "was ended by signal \(number)"
    }
  }
}
