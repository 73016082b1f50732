/// Collects broken invariants.
struct InvariantCheck {
  var broken: [String] = []

  mutating func callAsFunction(_ holds: Bool, _ invariant: @autoclosure () -> String) {
    if !holds { broken.append(invariant()) }
  }
}
