import Dispatch

/// The observers of the properties of one operation, or of one queue.
struct KeyValueObservers<Subject: AnyObject & Sendable>: Sendable {
  private var observers: [KeyValueObserver<Subject>] = []
  /// Created for the first observer, because an operation may have only streams.
  private lazy var calls = CallbackQueue()

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ observer: KeyValueObserver<Subject>) {
    observers.append(observer)
  }

  mutating func remove(_ life: ObserverLife) -> KeyValueObserver<Subject>? {
    observers.firstIndex { $0.life === life }.map { observers.remove(at: $0) }
  }

  mutating func removeAll() -> [KeyValueObserver<Subject>] {
    defer { observers = [] }
    return observers
  }

  /// The combined options of a property's observers; nil if it has none.
  func interest(in key: ObservedKey) -> PoolKeyValueObservingOptions? {
    observers.reduce(nil) { $1.key == key ? $1.options.union($0 ?? []) : $0 }
  }

  /// Tells the observers of a property about its change.
  mutating func tell(_ change: ObservedChange<Subject>, on queue: DispatchQueue) {
    let concerned = observers.filter { $0.key == change.key && $0.firstEffect <= change.effect }
    guard !concerned.isEmpty else { return }
    calls.post(on: queue) {
      guard let subject = change.subject() else { return }
      for observer in concerned { observer.tell(subject, change.old, change.new) }
    }
  }

  /// Tells an observer the initial value.
  mutating func tellInitial(
    _ observer: KeyValueObserver<Subject>,
    _ change: ObservedChange<Subject>,
    on queue: DispatchQueue
  ) {
    guard observer.options.contains(.initial) else { return }
    calls.post(on: queue) {
      if let subject = change.subject() { observer.call(subject, nil, change.new, false) }
    }
  }

  /// Posts a call that follows all notifications so far.
  mutating func afterwards(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    calls.post(on: queue, body)
  }
}

/// A change of a property.
struct ObservedChange<Subject: AnyObject & Sendable>: Sendable {
  var key: ObservedKey
  var old: ObservedValue?
  var new: ObservedValue
  /// The number of the effect that reports it, if one does.
  var effect = Int.max
  /// The operation or queue, unless it is gone.
  var subject: @Sendable () -> Subject?
}

/// An observer of one property.
struct KeyValueObserver<Subject: AnyObject & Sendable>: Sendable {
  let key: ObservedKey
  let options: PoolKeyValueObservingOptions
  let life = ObserverLife()
  /// The first effect that reports something the observer did not know from the beginning.
  let firstEffect: Int
  private let handler: @Sendable (Subject, ObservedValue?, ObservedValue?, Bool) -> Void

  init<Value>(
    _ key: PoolObservedKey<Value>,
    _ options: PoolKeyValueObservingOptions,
    firstEffect: Int = 0,
    _ handler: @escaping @Sendable (Subject, PoolKeyValueObservedChange<Value>) -> Void
  ) {
    self.key = key.key
    self.options = options
    self.firstEffect = firstEffect
    let read = key.read
    self.handler = { subject, old, new, isPrior in
      let change = PoolKeyValueObservedChange(
        oldValue: old.flatMap(read),
        newValue: new.flatMap(read),
        isPrior: isPrior
      )
      handler(subject, change)
    }
  }

  /// Reports a change, once or twice as the options say.
  func tell(_ subject: Subject, _ old: ObservedValue?, _ new: ObservedValue) {
    if options.contains(.prior) { call(subject, old, nil, true) }
    call(subject, old, new, false)
  }

  /// Calls the handler, unless the observation was ended meanwhile.
  func call(_ subject: Subject, _ old: ObservedValue?, _ new: ObservedValue?, _ isPrior: Bool) {
    guard !life.isOver else { return }
    handler(
      subject,
      options.contains(.old) ? old : nil,
      options.contains(.new) ? new : nil,
      isPrior
    )
  }
}
