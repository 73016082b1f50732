import PoolContents
import PoolModel
import PoolSystem
import PoolWire

// The outputs of operations: in answers, in files of the worker, or collected from frames.

extension WorkerConnection {
  struct CollectedOutputs {
    let output = OutputCollector()
    let error = OutputCollector()

    /// What is kept of them so far.
    func written(_ request: TailRequest) -> WrittenOutputs {
      WrittenOutputs(
        output: output.piece(request.byteCount, from: request.output),
        error: error.piece(request.byteCount, from: request.error)
      )
    }
  }

  /// Keeps a piece of the executing operation's output, or only counts it.
  func collect(_ chunk: OutputChunk, isKept: Bool) {
    let outputs = outputs ?? CollectedOutputs()
    self.outputs = outputs
    let collector = chunk.isError ? outputs.error : outputs.output
    if isKept { collector.append(chunk.bytes) } else { collector.pass(chunk.bytes) }
  }

  /// The collected outputs of an operation; nil unless it is the one that executed.
  private func takeOutputs(of reference: DispatchReference) -> CollectedOutputs? {
    guard let executing, executing.dispatch.rawValue == reference.dispatch.rawValue else {
      return nil
    }
    self.executing = nil
    guard outputs != nil else { return nil }
    defer { outputs = nil }
    return outputs
  }

  /// Fetches the outputs that an answer names, and lets the worker close their files.
  ///
  /// If an output cannot be fetched, the operation fails: a successful operation is not executed
  /// again, so the output would be missing for good. If that is because the worker is gone, the
  /// operation is lost with it. It fails, too, if an output has more bytes than the limits allow,
  /// which not every worker knows; the closure is called only if there is an output.
  func report(
    _ reference: DispatchReference,
    _ answer: consuming Answer,
    isCancelled: Bool = false,
    step: String?,
    printed: AttemptReport.Printed? = nil,
    limits: () -> OutputLimits? = { nil }
  ) -> AttemptReport {
    let collected = takeOutputs(of: reference)
    let request = takeRequest(of: reference)
    if answer.isPlain, step == nil, collected == nil, printed == nil {
      return answer.result.map { AttemptReport(result: $0) } ?? AttemptReport(answer: answer)
    }
    defer { if answer.namesFiles { send(.release(reference)) } }
    var output = content(answer.standardOutput, collected?.output)
    var error = content(answer.standardError, collected?.error)
    let written = answer.written
    let hasOutput = !output.isEmpty || !error.isEmpty || written != WrittenCounts()
    let limits = hasOutput ? limits() : nil
    output = output.start(of: written.output, limits?.output)
    error = error.start(of: written.error, limits?.error)
    if !isCancelled, [output, error].contains(where: \.isLost) { return .lostOutput }
    return AttemptReport(
      answer: isCancelled ? answer : answer.judged(with: output, error, limits),
      step: step,
      standardOutput: output,
      standardError: error,
      incidents: incidents(of: answer, request),
      printed: printed
    )
  }

  /// The text that an operation has printed; nil if there is none.
  func takePrinted(of reference: DispatchReference) -> AttemptReport.Printed? {
    guard let (text, byteCount) = printing?.takeOutput(of: reference), !text.isEmpty else {
      return nil
    }
    return AttemptReport.Printed(
      operation: reference.operation,
      text: text,
      byteCount: byteCount
    )
  }

  private func content(
    _ reference: OutputReference?,
    _ collected: OutputCollector?
  ) -> OutputContent {
    switch reference {
    case .inline(let bytes):
      guard let collected else { return .inline(bytes) }
      collected.append(bytes)
      return collected.take()
    case nil:
      return collected?.take() ?? .empty
    case .file(let descriptor, let byteCount):
      guard acceptsFiles else {
        if violation == nil { violation = .uninvitedFile }
        return .unavailable("the worker's files are out of reach")
      }
      do throws(SystemFailure) {
        let copy = try ProcessDescriptor.open(descriptor, of: signals.worker)
        let file = OutputFile(descriptor: copy, byteCount: byteCount)
        let size = try Descriptors.size(of: copy)
        if size < byteCount {
          if violation == nil { violation = .shortFile(announced: byteCount, found: size) }
          return .unavailable("the worker's file is shorter than it said")
        }
        return .file(file)
      } catch {
        let isGone = ProcessStatus.isGone(signals.worker)
        return isGone ? .lost : .unavailable(String(describing: error))
      }
    }
  }
}

extension Answer {
  /// A copy that fails if an output is lost, or has too many bytes.
  fileprivate func judged(
    with output: OutputContent,
    _ error: OutputContent,
    _ limits: OutputLimits?
  ) -> Answer {
    guard !output.isEmpty || !error.isEmpty else { return self }
    let losses = [output.loss(of: "output"), error.loss(of: "error output")].compactMap { $0 }
    let excesses = limits?.excesses(output: output.byteCount, error: error.byteCount) ?? []
    return failing(because: losses).failing(becauseOfLimits: excesses)
  }
}

extension OutputContent {
  /// The same as the start of an output with so many bytes, of which the worker has kept no more.
  ///
  /// In memory, because a file could not say so; at most as much as an outcome may have of it.
  fileprivate func start(of byteCount: Int64?, _ limit: OutputLimit?) -> Self {
    guard let byteCount, byteCount > self.byteCount, loss == nil else { return self }
    return .start(prefix(limit?.byteCount ?? OutputLimits.defaultByteCount), of: byteCount)
  }

  /// The message if it could not be fetched.
  fileprivate func loss(of name: String) -> String? {
    loss.map { "its \(name) is lost: \($0)" }
  }
}

extension Answer {
  fileprivate var namesFiles: Bool {
    standardOutput?.isFile == true || standardError?.isFile == true
  }
}

extension OutputReference {
  fileprivate var isFile: Bool {
    if case .file = self { return true }
    return false
  }
}
