import PoolModel
import PoolSystem
import PoolWire

/// A worker without threads: an operation that lasts is one that is not answered.
struct HandmadeWorker {
  let fault: Fault
  private let input: Int32
  private let output: Int32
  private var decoder: FrameDecoder
  private var waiting: [Execute] = []
  /// What executes and lasts.
  private var executing: DispatchReference?
  private var child: CommandProcess?
  private var drains = false

  init(_ fault: Fault) throws {
    self.fault = fault
    let streams = try StandardStreams.take()
    (input, output) = (streams.input, streams.output)
    decoder = FrameDecoder(
      preamble: .none,
      limit: fault == .smallFrames ? 1 << 20 : Frame.defaultLimit
    )
    if fault == .strayPrint { try Descriptors.replace(1, with: output) }
  }

  /// Converses to the end of the input.
  mutating func run() throws {
    if fault != .waitsForWelcome { try greet() }
    while try read() {}
    try decoder.end()
    while fault == .staysAtEnd, !drains { MonotonicClock.sleep(nanoseconds: .seconds(60)) }
    if fault != .leavesChild { child?.send(.kill) }
  }

  private func greet() throws {
    // Without cancel, a worker need not see the end of its input while it executes.
    let offers = ["prefetch", "recall", "ping", "drain"] + (fault == .staysAtEnd ? [] : ["cancel"])
    let names = offers.map { "\"\($0)\"" }.joined(separator: ",")
    try SystemIO.writeAll(output, Frame.magic)
    let hello = #"{"type":"hello","versions":[1],"kinds":["work"],"capabilities":[\#(names)]}"#
    try say(hello)
    if fault == .greetsTwice { try say(hello) }
  }

  /// Reads once; false at the end.
  private mutating func read() throws -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = try piece.withUnsafeMutableBytes { buffer throws(SystemFailure) in
      try SystemIO.readWaiting(input, into: buffer)
    }
    piece.withUnsafeBytes { decoder.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    if fault.refuses(piece[..<count]) { throw Violation.unexpected("what it does not know") }
    var operations: [Execute] = []
    while let message = try decoder.nextCoordinatorMessage(after: &operations) {
      waiting += operations
      operations = []
      try act(on: message)
    }
    waiting += operations
    if fault == .breaksAtFragments, (1..<Frame.headerLength).contains(decoder.pendingCount) {
      throw Violation.truncated
    }
    try begin()
    return count > 0 && !drains
  }

  private mutating func act(on message: CoordinatorMessage) throws {
    switch message {
    case .welcome: if fault == .waitsForWelcome { try greet() }
    case .cancel(let reference, _): try cancel(reference)
    case .recall(let reference): try recall(reference)
    case .ping(let number):
      try begin()
      if executing == nil || fault != .silentWhileExecuting {
        try say(#"{"type":"pong","number":\#(number)}"#)
      }
    case .drain:
      if fault == .forgetsPrefetched { waiting.removeAll() }
      drains = fault != .staysAtDrain || !waiting.isEmpty
      try begin()
    case .unknown: if fault == .stopsAtUnknownType { throw Violation.unexpected("something") }
    case .execute, .release, .tail, .renewed, .grant, .stop, .proceed: break
    }
  }

  private mutating func cancel(_ reference: DispatchReference) throws {
    try begin()
    if executing == reference {
      if fault == .ignoresCancel { return }
      executing = nil
      child?.send(.kill)
      try say("cancelled", reference, #","step":"message""#)
    } else if let place = waiting.firstIndex(where: { $0.reference == reference }) {
      if fault == .executesCancelled { return }
      waiting.remove(at: place)
      try say("cancelled", reference)
    } else if fault == .diesAtLateCancel {
      throw Violation.unexpected("a cancel of nothing")
    }
  }

  private mutating func recall(_ reference: DispatchReference) throws {
    try begin()
    if executing == reference, fault == .returnsExecuting {
      executing = nil
      try say("returned", reference)
    } else if let place = waiting.firstIndex(where: { $0.reference == reference }) {
      waiting.remove(at: place)
      try say("returned", reference)
    }
  }
}

// MARK: - Executing

extension HandmadeWorker {
  /// Executes what waits, until an operation lasts.
  private mutating func begin() throws {
    if fault == .returnsUnasked, waiting.count > 3 {
      try say("returned", waiting.removeLast().reference)
    }
    while executing == nil, !waiting.isEmpty {
      let isReversed = fault == .lastFirst && !waiting.contains { $0.text == #""last""# }
      let next = isReversed ? waiting.removeLast() : waiting.removeFirst()
      try execute(next)
    }
  }

  private mutating func execute(_ next: Execute) throws {
    let reference = next.reference
    if fault == .finishesUnstarted, next.text == #""fail""# { return try fail(reference) }
    try say("executing", reference)
    if next.kind != "work" {
      if fault == .stopsAtUnknownKind { throw Violation.unexpected("an unknown kind") }
      return try fail(reference)
    }
    switch next.text {
    case #""last""#:
      executing = reference
      if fault == .leavesChild { child = try startChild() }
    case #""fail""#:
      if fault == .diesWithFailure { throw Violation.unexpected("a failure") }
      try fail(reference)
    case #""print""#:
      try SystemIO.writeAll(1, Array("what an operation prints\n".utf8))
      try say("finished", reference)
    default: try succeed(reference)
    }
  }

  private mutating func succeed(_ reference: DispatchReference) throws {
    if fault == .lacksField { try say("progress", reference, #","completed":1"#) }
    if fault == .beginsTwo, let second = waiting.first, second.text == #""ok""# {
      waiting.removeFirst()
      try say("executing", second.reference)
      try say("finished", second.reference)
    }
    let file = fault == .uninvitedFile ? #","stdout":{"descriptor":1,"bytes":0}"# : ""
    try say("finished", reference, #","result":[1]\#(file)"#)
    if fault == .answersTwice { try say("finished", reference) }
    if fault == .reportsLate { try say("progress", reference, #","completed":1,"total":1"#) }
  }

  private func fail(_ reference: DispatchReference) throws {
    try say("finished", reference, #","error":{"message":"as it was told"}"#)
  }

  /// A process that would live for a minute, and may tell a pipe that it does.
  private func startChild() throws -> CommandProcess {
    var launcher = CommandLauncher()
    let line = #"[ -z "$READY" ] || echo > "$READY"; exec sleep 60"#
    let words = ["sh", "-c", line].map { Array($0.utf8) }
    return try launcher.start(CommandDescription(arguments: words, environment: .current))
  }
}

// MARK: - Speaking

extension HandmadeWorker {
  private func say(
    _ type: String,
    _ reference: DispatchReference,
    _ fields: String = ""
  ) throws {
    let (operation, dispatch) = (reference.operation.rawValue, reference.dispatch.rawValue)
    // A number above 2^53 that is odd is none of a Double's.
    let digits = fault == .losesDigits && dispatch > 1 << 53 ? dispatch & ~1 : dispatch
    try say(#"{"type":"\#(type)","operation":\#(operation),"dispatch":\#(digits)\#(fields)}"#)
  }

  private func say(_ json: String) throws {
    let body = Array(json.utf8) + (fault == .noLineFeed ? [] : [UInt8(ascii: "\n")])
    let length = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) }
    try SystemIO.writeAll(output, length + body)
  }
}

extension Execute {
  /// Its payload as text.
  fileprivate var text: String { String(decoding: payload, as: UTF8.self) }
}
