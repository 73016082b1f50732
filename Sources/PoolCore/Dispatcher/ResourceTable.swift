import PoolModel

/// The units of each resource: the total, those in use, and the operations that wait for one.
///
/// An operation takes all its units at once, when a worker is given it; while it lacks one, it
/// holds back no other.
struct ResourceTable {
  struct Resource {
    var capacity: Int
    /// Whether an operation takes a unit for each of its slots: the resource is the width of a
    /// group.
    let countsSlots: Bool
    var inUse = 0
    var waiting = WaitingLists()

    init(capacity: Int, countsSlots: Bool) {
      self.capacity = capacity
      self.countsSlots = countsSlots
    }

    /// Whether operations that hold units may pass them on.
    var isWithinCapacity: Bool { inUse <= capacity }

    /// Number of units that an operation takes.
    func units(for slots: UInt16) -> Int { countsSlots ? Int(slots) : 1 }

    /// Whether an operation may take its units, and leave as many as are reserved for another.
    ///
    /// One that needs more than there are takes all.
    func hasFree(for slots: UInt16, beside reserved: Int) -> Bool {
      if inUse == 0, reserved == 0 { return capacity > 0 }
      return inUse + units(for: slots) + reserved <= capacity
    }
  }

  private var resources: [Resource] = []
  private var freeResources: [UInt32] = []
  /// The claims of each operation that has some.
  private var claims: [[ResourceID]] = []
  private var freeClaims: [ClaimsHandle] = []

  var indices: Range<Int> { resources.indices }
  /// Whether no resource was ever added.
  var isEmpty: Bool { resources.isEmpty }

  subscript(id: ResourceID) -> Resource {
    _read { yield resources[Int(id.rawValue)] }
    _modify { yield &resources[Int(id.rawValue)] }
  }

  mutating func add(capacity: Int, countsSlots: Bool) -> ResourceID {
    let resource = Resource(capacity: capacity, countsSlots: countsSlots)
    if let index = freeResources.popLast() {
      resources[Int(index)] = resource
      return ResourceID(rawValue: index)
    }
    resources.append(resource)
    return ResourceID(rawValue: UInt32(resources.count - 1))
  }

  mutating func remove(_ id: ResourceID) {
    freeResources.append(id.rawValue)
  }

  /// Stores an operation's claims; returns their handle.
  mutating func keep(_ claim: [ResourceID]) -> ClaimsHandle {
    guard !claim.isEmpty else { return ClaimsHandle.none }
    if let index = freeClaims.popLast() {
      claims[index.offset] = claim
      return index
    }
    claims.append(claim)
    return ClaimsHandle(claims.count - 1)
  }

  mutating func forget(_ claim: ClaimsHandle) {
    guard claim != ClaimsHandle.none else { return }
    claims[claim.offset] = []
    freeClaims.append(claim)
  }

  func claims(_ number: ClaimsHandle) -> [ResourceID] {
    number == ClaimsHandle.none ? [] : claims[number.offset]
  }

  mutating func removeAllWaiting() {
    // Backwards: Swift 6.3 moves the check of an ascending index out of the loop in some builds
    // and not in others, and releases are to have the same bytes.
    for index in resources.indices.reversed() { resources[index].waiting.removeAll() }
  }
}
