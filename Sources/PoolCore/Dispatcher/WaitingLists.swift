import PoolModel

/// The operations of one kind queue that need equally many slots.
///
/// Where the first of them finds no slot or no worker, the others find none either.
struct WaitingClass: Equatable {
  let kindQueue: KindQueueHandle
  let slots: UInt16
}

/// The operations that wait for one scarce thing: units of a resource, or slots of a fleet.
///
/// Each class has a list in the order of dispatch, and at most one operation of a class that needs
/// the thing is offered to workers at a time: so whatever becomes free, one operation of each class
/// is looked at, and not all of them.
struct WaitingLists {
  struct List {
    let members: WaitingClass
    var waiting = ReadyQueue()
    /// The operation of this class that needs the thing and is offered to workers.
    var offered: ReadyKey?

    /// The first of those that wait and the one that is offered.
    var first: ReadyKey? {
      guard let next = waiting.first else { return offered }
      return offered.map { min($0, next) } ?? next
    }
  }

  /// One for each class that ever waited; kept, because the same classes come again.
  private(set) var lists: [List] = []

  /// Number of operations that wait.
  private(set) var count = 0

  /// Number of operations that need the thing: those that wait, and those that are offered.
  var needingCount: Int { count + lists.count { $0.offered != nil } }

  /// The first operation that needs the thing, waiting or offered.
  var first: ReadyKey? { lists.lazy.compactMap(\.first).min() }

  /// The operation of a class that is offered to workers.
  func offered(of members: WaitingClass) -> ReadyKey? {
    place(of: members).flatMap { lists[$0].offered }
  }

  /// The first of a class that waits, unless an earlier one of the class is offered.
  func next(of members: WaitingClass) -> ReadyKey? {
    guard let place = place(of: members), let next = lists[place].waiting.first else { return nil }
    guard let offered = lists[place].offered else { return next }
    return next < offered ? next : nil
  }

  func contains(_ key: ReadyKey, of members: WaitingClass) -> Bool {
    place(of: members).map { lists[$0].waiting.contains(key) } ?? false
  }

  mutating func insert(_ key: ReadyKey, of members: WaitingClass) {
    lists[madePlace(of: members)].waiting.insert(key)
    count += 1
  }

  mutating func remove(_ key: ReadyKey, of members: WaitingClass) {
    guard let place = place(of: members), lists[place].waiting.contains(key) else { return }
    lists[place].waiting.remove(key)
    count -= 1
  }

  /// Notes which operation of a class is offered.
  mutating func setOffered(_ key: ReadyKey?, of members: WaitingClass) {
    lists[madePlace(of: members)].offered = key
  }

  /// Removes all operations.
  mutating func removeAll() {
    lists.removeAll()
    count = 0
  }

  private func place(of members: WaitingClass) -> Int? {
    lists.firstIndex { $0.members == members }
  }

  private mutating func madePlace(of members: WaitingClass) -> Int {
    if let known = place(of: members) { return known }
    lists.append(List(members: members))
    return lists.count - 1
  }
}
