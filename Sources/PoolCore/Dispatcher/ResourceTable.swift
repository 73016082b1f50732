import PoolModel

/// The units of each resource: the total, those in use, and the operations that wait for one.
///
/// The waiting operations are in the order of dispatch. Only the first of a resource can be offered
/// to workers, and only while it is the first of all its resources and each has a free unit. So an
/// operation takes all its units at once, none takes a unit before an earlier one, and no two wait
/// for each other.
struct ResourceTable {
  struct Resource {
    var capacity: Int
    var inUse = 0
    var waiting = ReadyQueue()

    var hasFree: Bool { inUse < capacity }
    /// Whether operations that hold units may pass them on.
    var isWithinCapacity: Bool { inUse <= capacity }
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

  mutating func add(capacity: Int) -> ResourceID {
    if let index = freeResources.popLast() {
      resources[Int(index)] = Resource(capacity: capacity)
      return ResourceID(rawValue: index)
    }
    resources.append(Resource(capacity: capacity))
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

  /// Whether the operation with this key may take a unit of each claimed resource.
  func mayTake(_ claim: ClaimsHandle, _ key: ReadyKey) -> Bool {
    claims[claim.offset].allSatisfy { id in
      let resource = resources[Int(id.rawValue)]
      return resource.hasFree && resource.waiting.first == key
    }
  }

  mutating func removeAllWaiting() {
    for index in resources.indices { resources[index].waiting.removeAll() }
  }
}
