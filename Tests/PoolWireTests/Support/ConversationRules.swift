import PoolModel
import PoolWire

/// The order rules of `Protocol/README.md`, section 4, as an observer of the conversation would
/// check them.
struct ConversationRules {
  /// A rule that was broken.
  struct Broken: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
  }

  private var hello: Hello?
  private var isWelcome = false
  private var waiting: [DispatchReference] = []
  private var executing: DispatchReference?
  private var highestDispatch: UInt64?
  private var recalled: Set<DispatchReference> = []
  private var cancelled: Set<DispatchReference> = []
  private var unreleased: Set<DispatchReference> = []
  private var pings: [UInt64] = []
  private var acceptsFiles = false

  mutating func hear(_ message: AnyMessage) throws(Broken) {
    switch message {
    case .coordinator(let message): try hear(message)
    case .worker(let message): try hear(message)
    }
  }

  /// Everything was answered.
  func end() throws(Broken) {
    try require(hello != nil && isWelcome, "no handshake")
    try require(waiting.isEmpty && executing == nil, "an operation without an answer")
    try require(unreleased.isEmpty, "files that were never released")
  }

  private func require(_ condition: Bool, _ broken: String) throws(Broken) {
    guard condition else { throw Broken(broken) }
  }
}

// MARK: - The coordinator

extension ConversationRules {
  private mutating func hear(_ message: CoordinatorMessage) throws(Broken) {
    if case .welcome(let welcome) = message {
      try require(hello?.versions.contains(welcome.version) == true, "a version not offered")
      try require(!isWelcome, "a second welcome")
      isWelcome = true
      acceptsFiles = welcome.acceptsFiles
      return
    }
    try require(isWelcome, "something before the welcome")
    switch message {
    case .execute(let execute): try hear(execute)
    case .cancel(let reference, _):
      try require(hello?.capabilities.contains(.cancel) == true, "cancel was not offered")
      cancelled.insert(reference)
    case .recall(let reference):
      try require(hello?.capabilities.contains(.recall) == true, "recall was not offered")
      recalled.insert(reference)
    case .release(let reference):
      try require(unreleased.remove(reference) != nil, "a release of no files")
    case .ping(let number): pings.append(number)
    case .drain: try require(waiting.isEmpty, "a drain among operations")
    case .welcome, .unknown: break
    }
  }

  private mutating func hear(_ execute: Execute) throws(Broken) {
    let dispatch = execute.reference.dispatch.rawValue
    try require(highestDispatch ?? 0 <= dispatch && highestDispatch != dispatch, "a used dispatch")
    try require(hello?.kinds.contains(execute.kind) == true, "a kind that is not served")
    if execute.surroundings?.inputs.contains(where: \.isFile) == true {
      try require(acceptsFiles, "an input's file that the worker cannot open")
      try require(hello?.capabilities.contains(.inputs) == true, "inputs was not offered")
    }
    let isBusy = executing != nil || !waiting.isEmpty
    try require(!isBusy || hello?.capabilities.contains(.prefetch) == true, "hold was not offered")
    highestDispatch = dispatch
    waiting.append(execute.reference)
  }
}

// MARK: - The worker

extension ConversationRules {
  private mutating func hear(_ message: WorkerMessage) throws(Broken) {
    if case .hello(let greeting) = message {
      try require(hello == nil, "a second hello")
      hello = greeting
      return
    }
    try require(hello != nil, "something before the hello")
    switch message {
    case .executing(let reference, let process): try hear(executing: reference, process)
    case .progress(let reference, _), .log(let reference, _), .output(let reference, _),
      .printed(let reference):
      try require(executing == reference, "a report of something that does not execute")
    case .finished(let reference, let answer):
      try require(executing == reference, "finished without executing")
      try conclude(reference, answer)
    case .cancelled(let reference, let answer, _):
      try require(cancelled.contains(reference), "cancelled without a cancel")
      if executing != reference { try takeWaiting(reference) }
      try conclude(reference, answer)
    case .returned(let reference):
      try require(recalled.contains(reference), "returned without a recall")
      try takeWaiting(reference)
    case .pong(let number):
      try require(pings.first == number, "a pong without a ping")
      pings.removeFirst()
    case .hello, .unknown: break
    }
  }

  private mutating func hear(
    executing reference: DispatchReference,
    _ process: ProcessGroup?
  ) throws(Broken) {
    if executing == reference {
      return try require(process != nil, "a second executing that adds nothing")
    }
    try require(executing == nil, "two operations at once")
    try require(waiting.first == reference, "executing out of the order of dispatch")
    waiting.removeFirst()
    executing = reference
  }

  private mutating func takeWaiting(_ reference: DispatchReference) throws(Broken) {
    guard let index = waiting.firstIndex(of: reference) else {
      throw Broken("an answer to something that does not wait")
    }
    waiting.remove(at: index)
  }

  private mutating func conclude(
    _ reference: DispatchReference,
    _ answer: Answer
  ) throws(Broken) {
    if executing == reference { executing = nil }
    for case .file? in [answer.standardOutput, answer.standardError] {
      try require(acceptsFiles, "files that nobody can open")
      unreleased.insert(reference)
    }
  }
}

extension NamedInput {
  /// Whether it lies in a file.
  fileprivate var isFile: Bool {
    if case .file = content { true } else { false }
  }
}
