import PoolCore
import PoolModel
import PoolSystem
import PoolWire

/// The conversation with one worker: its pipes, its outbound buffer, its state.
///
/// Used only on the loop's thread, and never re-entered. So the properties of the hot path need no
/// exclusivity checks, which would cost 6 % of it. Descriptors do not block: if a worker does not
/// read, only its own outbound buffer grows, at most by its prefetched operations.
final class WorkerConnection: WorkerPeer {
  private(set) var process: any WorkerProcess
  var channel: any WorkerChannel { process }
  var handle: any WorkerHandle { process }
  /// Whether the worker has greeted.
  @exclusivity(unchecked) var hasGreeted = false
  /// Where it executes.
  let place: WorkerPlace
  /// Whether large outputs may stay in files of the worker; known after its `hello`.
  private(set) var acceptsFiles = false
  /// What it sends, if that is in blocks.
  @exclusivity(unchecked) private var opener: SealedStream.Opener?
  /// What a worker elsewhere has; nil if it is certainly of this machine, and before its `hello`.
  @exclusivity(unchecked) var link: WorkerLink?
  /// How long it lives without an answer; nil if it has no lease.
  private(set) var terms: LeaseTerms?
  @exclusivity(unchecked) private(set) var capabilities = ConnectionCapabilities()

  @exclusivity(unchecked) private var decoder = FrameDecoder(preamble: .magic)
  /// Number of bytes that it has sent, up to its first violation.
  @exclusivity(unchecked) private var received: UInt64 = 0
  @exclusivity(unchecked) private(set) var outbox: OfferedOutbox?
  @exclusivity(unchecked) private(set) var outbound = OutboundPipe()
  @exclusivity(unchecked) private(set) var isOutputOpen = true
  var isErrorOpen = true
  /// Its processes, and the signals that were sent to them.
  var signals: WorkerSignals
  /// Whether the processes that it may have left have been ended, or are being ended.
  private(set) var hasTakenOrphans = false
  /// Number of operations that it was sent and has neither answered nor returned, by its own
  /// account.
  @exclusivity(unchecked) private var unanswered = 0
  /// The operation that it last reported as executing.
  @exclusivity(unchecked) var executing: DispatchReference?
  /// The process group of that operation, as reported.
  @exclusivity(unchecked) var group: Int32?
  /// When it was first asked to stop each operation that it has not answered.
  @exclusivity(unchecked) var requests: [DispatchNumber: Instant] = [:]
  /// Whether it had closed its output while it lived.
  private var hadClosedOutput = false
  /// Whether its memory is measured, now and then.
  @exclusivity(unchecked) var measuresMemory = false
  private var nextWeighing: Int64 = 0
  /// Whether it is in the loop's list of connections that have sent remarks.
  var isRemarking = false
  /// Whether reading its text is paused, because too much is held.
  var isTextPaused = false
  /// Whether it is in the loop's list of connections to flush.
  @exclusivity(unchecked) var isEnlisted = false
  /// Whether the loop watches for room in its input.
  @exclusivity(unchecked) var awaitsRoom = false
  /// The text that it prints; nil if the client wants raw text.
  @exclusivity(unchecked) var printing: WorkerPrinting?
  /// Whether held text may belong to the operation that it answers next.
  @exclusivity(unchecked) var mayHavePrinted = false
  /// The outputs of the executing operation that came in frames, if any.
  @exclusivity(unchecked) var outputs: CollectedOutputs?
  /// Whether it has begun to print a backtrace.
  var crash = Crash.none
  /// Whether its pipes may be widened, and were not.
  private var mayWidenPipes = false
  /// Whether its next bytes are garbled, as an injected fault.
  @exclusivity(unchecked) var isGarbled = false

  init(
    _ id: WorkerID,
    _ configuration: ConfigurationID,
    _ process: any WorkerProcess,
    in place: WorkerPlace,
    dividesText: Bool = false
  ) {
    self.process = process
    self.place = place
    printing = dividesText ? WorkerPrinting() : nil
    signals = WorkerSignals(process)
    super.init(id, configuration, pid: process.pid)
  }

  override func death(_ status: PoolExitStatus) -> PoolWorkerDeath {
    var death = super.death(status)
    death.reason = death.shortage == nil ? signals.reason : nil
    death.wasStopped = signals.wasStopped
    death.hadClosedOutput = hadClosedOutput
    if outbox?.isEchoed != true {
      (death.host, death.roundTrip) = (link?.host, link?.roundTrip)
    }
    return death
  }

  /// Of a worker that was not proved to be on this machine: the last dispatch that may have reached
  /// it.
  override var lastInDoubt: DispatchNumber? {
    outbox?.isEchoed == true || handle.isEndProved ? nil : link?.sent.last
  }

  /// Without a link, timeouts are the coordinator's, and no lease is needed.
  override func capabilitiesForCore(_ all: Set<Capability>) -> Set<Capability> {
    var lacking: Set<Capability> = []
    if !capabilities.holdsTimeouts { lacking.insert(.timeout) }
    if !capabilities.isLeased { lacking.insert(.lease) }
    return all.subtracting(lacking)
  }

  /// Whether it can be told something, and answer.
  var isConversing: Bool { isOutputOpen && outbound.takesMessages }

  /// Begins again with another process; the one that it had is not its own any more.
  func begin(on process: any WorkerProcess) {
    (isErrorOpen, awaitsRoom) = (true, false)
    self.process = process
    signals = WorkerSignals(process)
    decoder = FrameDecoder(preamble: .magic)
    received = 0
    outbound = OutboundPipe()
  }

  deinit {
    outbound.close(channel.input)
    closeOutput()
    closeError()
  }
}

// MARK: - Sending

extension WorkerConnection {
  /// What the loop knows of a worker's crash before its end.
  enum Crash {
    case none
    case begun
    case told
  }

  /// Whether bytes wait to be sent, or the input waits to be closed.
  @inline(__always)
  var hasPending: Bool { outbound.hasPending }

  /// Appends a message to the outbound buffer.
  func send(_ message: CoordinatorMessage) {
    if case .execute(let execute) = message, outbound.takesMessages {
      unanswered += 1
      noteDispatch(execute.reference, behind: outbound.pendingCount)
      if execute.payload.count >= OutboundPipe.large { widenPipes() }
    }
    outbound.append { message.encode(into: &$0) }
  }

  private func widenPipes() {
    guard mayWidenPipes else { return }
    mayWidenPipes = false
    SystemIO.widenPipe(channel.input, for: OutboundPipe.large)
    SystemIO.widenPipe(channel.output, for: OutboundPipe.large)
  }

  /// Lets the closure append messages to the outbound buffer; returns their number.
  @inline(__always)
  func send(_ write: (inout JSONWriter) -> Int) -> Int {
    let count = outbound.append(write) ?? 0
    unanswered += count
    return count
  }

  /// It has answered an operation, or returned it.
  @inline(__always)
  func noteAnswer() {
    unanswered -= 1
    error.noteAnswer()
  }

  /// Closes the worker's input after the pending bytes.
  func retire() {
    outbound.closesAtEnd = true
  }

  /// Writes as much as the pipe takes.
  func flush() {
    guard notesDispatches else { return outbound.flush(to: channel) }
    let pending = outbound.pendingCount
    outbound.flush(to: channel)
    let rest = outbound.pendingCount
    link?.sent.advance(by: pending - rest, leaving: rest)
  }

  /// Signals the worker so that it ends; it had this many nanoseconds to greet.
  func end(by number: Int32, because reason: SignalReason, greetingTimeout: Int64 = 0) {
    switch reason {
    case .greeting:
      note { () throws(Violation) in throw .silent(greetingTimeout, decoder.pendingExcerpt) }
    case .frame: note { () throws(Violation) in throw .stalled(decoder.pendingCount) }
    case .teardown, .violation, .start, .silence, .end, .shutdown: break
    }
    signals.end(by: number, because: reason, group: group)
  }

  /// The worker has closed its output, and may have ended.
  func noteHangUp() {
    hadClosedOutput = true
    if !outbound.closesAtEnd { handle.wakeGuardian() }
  }

  /// The processes that this process may have adopted from the worker; nil if there are none, and
  /// on the second call.
  ///
  /// A guardian leaves none, unless it was killed.
  func takeOrphans(_ status: PoolExitStatus) -> Adoption.Orphans? {
    guard capabilities.isStandard, !hasTakenOrphans, status == .signaled(9) else { return nil }
    hasTakenOrphans = true
    return Adoption.Orphans(
      worker: signals.worker,
      command: group,
      hasUnannounced: unanswered > (group == nil ? 0 : 1)
    )
  }
}

// MARK: - Greeting

extension WorkerConnection {
  /// Stores which process the worker is, and what it can do.
  func note(_ hello: Hello) {
    let isBelieved = signals.note(pid: hello.pid)
    // A second greeting is a violation, and does not undo what the link has carried.
    if link == nil, !place.isNear(ifOwnProcess: isBelieved) {
      link = WorkerLink(host: hello.host.map { Printable.text($0.bounded(to: 255)) })
    }
    acceptsFiles =
      place == .thisMachine && isBelieved && ProcessDescriptor.canOpen(filesOf: hello.pid)
    capabilities = ConnectionCapabilities(
      hello.capabilities,
      in: place,
      isBelieved: isBelieved,
      isProved: link == nil,
      opensOurFiles: ProcessDescriptor.canOthersOpenOurs,
      acceptsFiles: acceptsFiles,
      dividesText: printing != nil
    )
    if channel.isSealed { capabilities.sealsStream = false }
    mayHavePrinted = capabilities.writesInTurn
  }

  /// Answers its `hello`.
  func welcome(slot: Int, as configuration: PoolWorkerConfiguration?) {
    mayWidenPipes = SystemIO.mayWidenPipes(ofSlot: slot)
    var welcome = Welcome(
      worker: id,
      acceptsFiles: acceptsFiles,
      slot: slot,
      streams: configuration?.streams,
      outputGrace: configuration?.outputGrace
    )
    // Without shared memory there is no outbox.
    if capabilities.keepsOutbox {
      outbox = OfferedOutbox()
      welcome.outbox = outbox?.place(isProved: link == nil)
    }
    if capabilities.takesAttachments {
      welcome.attachmentLimit = PackedValue.limit
      decoder.attachmentLimit = PackedValue.limit
    }
    if capabilities.marksPrinted {
      let mark = PrintMark(number: .random(in: .min ... .max))
      welcome.printMark = mark
      printing?.stream.begin(mark)
    }
    welcome.isSealed = capabilities.sealsStream
    if capabilities.isLeased { terms = configuration?.lease }
    welcome.lease = terms?.milliseconds
    if capabilities.isLeased { welcome.window = WorkerLink.window }
    send(.welcome(welcome))
    if welcome.isSealed {
      outbound.beginSealing()
      opener = SealedStream.Opener()
    }
  }

  /// Whether the worker may not have opened its outbox yet.
  var offersOutbox: Bool { outbox?.isOffered == true }

  /// Whether the worker has opened an outbox.
  var sharesOutbox: Bool { outbox?.isOffered == false }

  /// Whether the worker has certainly sent frames that were not read yet.
  var hasUnreadFrames: Bool { isOutputOpen && outbox?.hasRest(after: position) == true }

  /// Number of bytes that it has sent from the magic line on, up to its first violation.
  private var position: UInt64 { received - UInt64(decoder.noise.count) }

  /// The worker has opened its outbox, if it could: closes the file.
  func closeOutboxFile() {
    outbox?.closeFile()
  }
}

// MARK: - Memory

extension WorkerConnection {
  /// The worker's memory in bytes; nil within 250 ms of the last measurement, and if the system
  /// does not say.
  func measureMemory(at now: Int64) -> Int? {
    guard now >= nextWeighing else { return nil }
    nextWeighing = now + .milliseconds(250)
    return handle.residentBytes(of: signals.worker)
  }
}

// MARK: - Receiving

extension WorkerConnection {
  /// Reads once from the worker, and passes each message to the closure.
  func receive(
    with buffer: UnsafeMutableRawBufferPointer,
    _ body: (consuming WorkerMessage) -> Void
  ) -> SystemIO.Transfer {
    guard isOutputOpen else { return .endOfFile }
    let transfer = channel.read(channel.output, into: buffer)
    switch transfer {
    case .wouldBlock:
      break
    case .bytes(let count):
      // After a violation, the rest is read and dropped, so that the worker does not block.
      guard violation == nil else { break }
      if isGarbled { buffer[0] ^= 0xFF }
      append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      if decoder.pendingCount >= OutboundPipe.large { widenPipes() }
      decode(body)
    case .endOfFile:
      closeOutput()
      receiveUnsent(body)
      // A killed worker may end within a frame.
      if !signals.isKilled { note { () throws(Violation) in try decoder.end() } }
    }
    return transfer
  }

  /// Appends what was read to the frames.
  @inline(__always)
  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard opener == nil else { return open(bytes) }
    received += UInt64(bytes.count)
    decoder.append(bytes)
  }

  private func open(_ bytes: UnsafeRawBufferPointer) {
    note { () throws(Violation) in
      try opener?.open(bytes) { block in
        received += UInt64(block.count)
        decoder.append(block)
      }
    }
  }

  /// Takes the unsent bytes of a dead worker from its outbox.
  func receiveUnsent(_ body: (consuming WorkerMessage) -> Void) {
    guard let outbox else { return }
    let rest = outbox.rest(after: position)
    // After a violation, only whole frames are certainly the worker's own.
    if violation != nil {
      received = position
      decoder = FrameDecoder(preamble: .none)
    }
    guard !rest.isEmpty else { return }
    received += UInt64(rest.count)
    rest.withUnsafeBytes { decoder.append($0) }
    decode(body)
  }

  /// A message before `hello` is a violation.
  func demandGreeting(before type: String) {
    guard !hasGreeted else { return }
    note { () throws(Violation) in throw .unexpected("'\(type)' before its 'hello'") }
  }

  /// The incomplete frame at the end of the received bytes, if any.
  var partialFrame: PartialFrame? {
    let count = decoder.pendingCount + (opener?.pendingCount ?? 0)
    guard count > 0, violation == nil else { return nil }
    return PartialFrame(start: received - UInt64(count), count: count)
  }

  /// The bytes before the worker's first message.
  var noise: [UInt8] { decoder.noise }

  private func decode(_ body: (consuming WorkerMessage) -> Void) {
    let isViolator = violation != nil
    note { () throws(Violation) in
      try decoder.takeWorkerMessages(body)
    }
    // The violation was found while a message was handled.
    if !isViolator, hasLied { received -= UInt64(decoder.pendingCount) }
  }

  /// Whether one of its answers was false: then neither that one nor a later one counts.
  var hasLied: Bool {
    switch violation {
    case .shortFile, .uninvitedFile: true
    default: false
    }
  }

  /// Stores the first violation.
  private func note(_ body: () throws(Violation) -> Void) {
    do throws(Violation) {
      try body()
    } catch {
      guard violation == nil else { return }
      violation = error
      received -= UInt64(decoder.pendingCount)
    }
  }

  func closeOutput() {
    guard isOutputOpen else { return }
    isOutputOpen = false
    Descriptors.close(channel.output)
  }
}
