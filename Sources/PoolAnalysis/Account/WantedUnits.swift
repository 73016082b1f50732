import PoolEvents
import PoolModel

/// What the ready operations of a run need, and which units of resources are held.
struct WantedUnits {
  /// Ready operations by what they lack.
  struct Division {
    /// Those that lack nothing.
    var free = 0
    /// Those that lack units of a resource, by its name.
    var limited: [(name: ResourceName, count: Int)] = []
    /// Those that need more slots than are idle.
    var wide = 0
  }

  private struct Resource {
    let name: ResourceName
    let units: Int
    var held = 0
  }

  /// Operations that claim the same resources, and need as many slots.
  private struct Need: Hashable {
    var resources: [Int]
    var slots: Int
  }

  private var resources: [Resource] = []
  private var needs: [Need] = []
  /// The number of ready operations with each need.
  private var ready: [Int] = []
  /// The need of each operation.
  private var needOf: [Int] = []

  init(_ history: RunHistory) {
    var places: [ResourceName: Int] = [:]
    var needPlaces: [Need: Int] = [:]
    needOf.reserveCapacity(history.operations.count)
    var last: (claims: [SubmittedRecord.Claim], slots: Int, place: Int)?
    for operation in history.operations.indices {
      let claims = history.operations[operation].submitted.claims
      let slots = history.operations[operation].submitted.slots
      // Neighbours mostly need the same.
      if let last, last.slots == slots, last.claims == claims {
        needOf.append(last.place)
        continue
      }
      let used = claims.map { claim in
        let name = claim.resource
        let place = places[name] ?? resources.count
        if place == resources.count {
          places[name] = place
          resources.append(Resource(name: name, units: claim.units))
        }
        return place
      }
      let need = Need(resources: used, slots: slots)
      let place = needPlaces[need] ?? needs.count
      if place == needs.count {
        needPlaces[need] = place
        needs.append(need)
        ready.append(0)
      }
      needOf.append(place)
      last = (claims, slots, place)
    }
  }

  /// The slots that an operation uses.
  func slots(of operation: Int) -> Int { needs[needOf[operation]].slots }

  /// An operation is ready, or no longer.
  mutating func want(_ operation: Int, _ change: Int) { ready[needOf[operation]] += change }

  /// An operation takes its units, or gives them back.
  mutating func hold(_ operation: Int, _ change: Int) {
    for resource in needs[needOf[operation]].resources { resources[resource].held += change }
  }

  /// What the ready operations lack while that many slots are idle.
  func division(roomFor idle: Int) -> Division {
    var division = Division()
    for (place, need) in needs.enumerated() where ready[place] > 0 {
      if let full = need.resources.first(where: { resources[$0].held >= resources[$0].units }) {
        division.limited.append((resources[full].name, ready[place]))
        continue
      }
      guard need.slots <= idle else {
        division.wide += ready[place]
        continue
      }
      let units = need.resources.map { resources[$0].units - resources[$0].held }.min() ?? .max
      division.free += min(ready[place], units)
      if ready[place] > units, let tight = need.resources.first {
        division.limited.append((resources[tight].name, ready[place] - units))
      }
    }
    return division
  }
}
