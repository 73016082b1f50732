import PoolModel
package import PoolWire

/// The order rules of `Protocol/README.md`, as an observer of the conversation checks them.
///
/// A broken rule is reported, and the observer goes on: what follows is judged as if the message
/// were right.
package struct ConversationRules {
  /// What a message may break.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// `hello` is the first message and comes once.
    case greeting
    /// Each body ends with a line feed.
    case lineFeed
    /// Each message is JSON with the required fields, of their types.
    case validity
    /// A message is about a dispatch that the worker has.
    case numbers
    /// Each `execute` has one answer.
    case answeredOnce
    /// `finished` comes only after `executing`.
    case executingFirst
    /// A second `executing` adds something.
    case repeatedStart
    /// No operation begins while another one executes.
    case oneAtATime
    /// Operations begin in the order of their dispatch.
    case order
    /// Reports of an operation come while it executes.
    case place
    /// `cancelled` and `returned` come only after they were asked for.
    case asked
    /// `pong` and `written` come only after they were asked for, and `renew` only from a worker
    /// with a lease; a coordinator ignores others.
    case unneeded
    /// Outputs are in files only where `welcome` allows it, and these files are released.
    case files
    /// What the coordinator must do.
    case coordinator
    /// At the end, everything was answered.
    case completeness
  }

  /// A rule that was broken.
  package struct Broken: Error, Hashable, CustomStringConvertible {
    package var rule: Rule
    package var description: String
  }

  private(set) var hello: Hello?
  private var isWelcome = false
  private var waiting: [DispatchReference] = []
  /// What has begun and has no answer: one operation, or more where the worker breaks a rule.
  private var begun: [DispatchReference] = []
  private var answered: Set<DispatchReference> = []
  private var highestDispatch: UInt64?
  private var recalled: Set<DispatchReference> = []
  private var cancelled: Set<DispatchReference> = []
  private var unreleased: Set<DispatchReference> = []
  private var pings: [UInt64] = []
  private var renewals: [UInt64] = []
  private var isLeased = false
  private var tails: [DispatchReference] = []
  private var acceptsFiles = false
  /// What the latest message has broken.
  private var broken: [Broken] = []

  package init() {}

  /// Hears a message of the coordinator; returns what it breaks.
  package mutating func hear(_ message: CoordinatorMessage) -> [Broken] {
    broken = []
    take(message)
    return broken
  }

  /// Hears a message of the worker; returns what it breaks.
  package mutating func hear(_ message: WorkerMessage) -> [Broken] {
    broken = []
    take(message)
    return broken
  }

  /// What is broken if the conversation ends here.
  package mutating func end() -> [Broken] {
    broken = []
    require(hello != nil && isWelcome, .completeness, "no handshake")
    require(!isBusy, .completeness, "an operation without an answer")
    require(unreleased.isEmpty, .files, "files that were never released")
    return broken
  }

  /// Whether the worker has something to do.
  var isBusy: Bool { !begun.isEmpty || !waiting.isEmpty }

  private mutating func require(_ condition: Bool, _ rule: Rule, _ description: String) {
    if !condition { broken.append(Broken(rule: rule, description: description)) }
  }

  private func offers(_ capability: Capability) -> Bool {
    hello?.capabilities.contains(capability) == true
  }
}

// MARK: - The coordinator

extension ConversationRules {
  private mutating func take(_ message: CoordinatorMessage) {
    if case .welcome(let welcome) = message { return take(welcome) }
    require(isWelcome, .coordinator, "something before the welcome")
    switch message {
    case .execute(let execute): take(execute)
    case .cancel(let reference, _):
      require(offers(.cancel), .coordinator, "cancel was not offered")
      cancelled.insert(reference)
    case .recall(let reference):
      require(offers(.recall), .coordinator, "recall was not offered")
      recalled.insert(reference)
    case .release(let reference):
      require(unreleased.remove(reference) != nil, .coordinator, "a release of no files")
    case .tail(let reference, _):
      require(offers(.tail), .coordinator, "tail was not offered")
      tails.append(reference)
    case .ping(let number): pings.append(number)
    case .renewed(let number):
      let isAsked = renewals.firstIndex(of: number).map { renewals.remove(at: $0) } != nil
      require(isAsked, .coordinator, "a renewed without a renew")
    case .grant: require(offers(.window), .coordinator, "window was not offered")
    case .stop, .proceed: require(offers(.stop), .coordinator, "stop was not offered")
    case .drain: require(waiting.isEmpty, .coordinator, "a drain among operations")
    case .welcome, .unknown: break
    }
  }

  private mutating func take(_ welcome: Welcome) {
    let isOffered = hello?.versions.contains(welcome.version) == true
    require(isOffered, .coordinator, "a version not offered")
    require(!isWelcome, .coordinator, "a second welcome")
    isWelcome = true
    isLeased = welcome.lease != nil
    require(!isLeased || offers(.lease), .coordinator, "a lease was not offered")
    acceptsFiles = welcome.acceptsFiles
  }

  private mutating func take(_ execute: Execute) {
    let dispatch = execute.reference.dispatch.rawValue
    let isNew = highestDispatch.map { $0 < dispatch } ?? true
    require(isNew, .coordinator, "a used dispatch")
    let isServed = hello?.kinds.contains(execute.kind) == true
    require(isServed, .coordinator, "a kind that is not served")
    if execute.surroundings?.inputs.contains(where: \.isFile) == true {
      require(acceptsFiles, .coordinator, "an input's file that the worker cannot open")
      require(offers(.inputs), .coordinator, "inputs was not offered")
    }
    require(!isBusy || offers(.prefetch), .coordinator, "prefetch was not offered")
    highestDispatch = max(highestDispatch ?? 0, dispatch)
    waiting.append(execute.reference)
  }
}

// MARK: - The worker

extension ConversationRules {
  private mutating func take(_ message: WorkerMessage) {
    if case .hello(let greeting) = message {
      require(hello == nil, .greeting, "a second hello")
      hello = greeting
      return
    }
    require(hello != nil, .greeting, "something before the hello")
    switch message {
    case .executing(let reference, let process): take(executing: reference, process)
    case .progress(let reference, _), .output(let reference, _), .printed(let reference):
      require(begun.contains(reference), .place, "a report of something that does not execute")
    case .log(let reference, _):
      let isKnown = begun.contains(reference) || answered.contains(reference)
      require(isKnown, .place, "a log of something that has not begun")
    case .written(let reference, _):
      require(begun.contains(reference), .place, "a report of something that does not execute")
      require(tails.contains(reference), .unneeded, "written without a tail")
      tails.removeAll { $0 == reference }
    case .finished(let reference, let answer): conclude(reference, answer, finishing: true)
    case .cancelled(let reference, let answer, _):
      require(cancelled.contains(reference), .asked, "cancelled without a cancel")
      conclude(reference, answer)
    case .returned(let reference):
      require(recalled.contains(reference), .asked, "returned without a recall")
      let isWaiting = !begun.contains(reference)
      require(isWaiting, .numbers, "returned for something that executes")
      conclude(reference, Answer(result: nil))
    case .pong(let number):
      require(pings.contains(number), .unneeded, "a pong without a ping")
      pings.removeAll { $0 == number }
    case .renew(let number):
      require(isLeased, .unneeded, "a renew without a lease")
      renewals.append(number)
    case .hello, .unknown: break
    }
  }

  private mutating func take(executing reference: DispatchReference, _ process: ProcessGroup?) {
    if begun.contains(reference) {
      let adds = process != nil || offers(.teardown)
      return require(adds, .repeatedStart, "a second executing that adds nothing")
    }
    guard let place = waiting.firstIndex(of: reference) else {
      return require(
        false,
        answered.contains(reference) ? .answeredOnce : .numbers,
        "executing for something that does not wait"
      )
    }
    require(begun.isEmpty, .oneAtATime, "two operations at once")
    require(place == 0, .order, "executing out of the order of dispatch")
    waiting.remove(at: place)
    begun.append(reference)
  }

  private mutating func conclude(
    _ reference: DispatchReference,
    _ answer: Answer,
    finishing: Bool = false
  ) {
    if let place = begun.firstIndex(of: reference) {
      begun.remove(at: place)
    } else if let place = waiting.firstIndex(of: reference) {
      require(!finishing, .executingFirst, "finished without executing")
      waiting.remove(at: place)
    } else {
      let isSecond = answered.contains(reference)
      require(
        false,
        isSecond ? .answeredOnce : .numbers,
        "an answer to something that is not there"
      )
    }
    answered.insert(reference)
    for case .file? in [answer.standardOutput, answer.standardError] {
      require(acceptsFiles, .files, "files that the coordinator cannot open")
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
