/// Collects the invariants that do not hold.
struct Demands {
  var broken: [String] = []

  mutating func callAsFunction(_ holds: Bool, _ invariant: @autoclosure () -> String) {
    if !holds { broken.append(invariant()) }
  }
}
