import PoolCore
import PoolModel

/// The names of kinds, and their numbers in the machine.
///
/// Only a kind that an operation has, or that a worker configuration names, gets a number. All
/// other kinds that workers serve are stored by name, once for each worker configuration: restarted
/// workers add nothing, and the names are dropped when the configuration's number is reused.
struct KindNames {
  private var numbers: [String: KindID] = [:]
  private var last: (name: String, kind: KindID)?
  /// The kinds that the workers of each worker configuration serve: those that it names, or else
  /// those that its first worker announced.
  private var served: [ConfigurationID: Set<String>] = [:]
  /// The numbers of kinds whose workers must have features: to the machine, each is a kind of its
  /// own.
  private var constrained: [ConstrainedKind: KindID] = [:]
  /// What the machines of each worker configuration have, if that is something.
  private var features: [ConfigurationID: Set<String>] = [:]

  init() {}

  /// Number of stored names.
  var count: Int {
    numbers.count + constrained.count + served.values.reduce(0) { $0 + $1.count }
  }

  /// The number of a kind; a new kind is declared to the machine.
  mutating func number(of name: String, in machine: inout PoolMachine) -> KindID {
    // Most batches are of one kind, and comparing two names is cheaper than hashing one.
    if let last, last.name == name { return last.kind }
    let kind = numbers[name] ?? add(name, to: &machine)
    last = (name, kind)
    return kind
  }

  private mutating func add(_ name: String, to machine: inout PoolMachine) -> KindID {
    let kind = machine.dispatcher.addKind(servedBy: servers(of: ConstrainedKind(name)))
    numbers[name] = kind
    return kind
  }

  /// The number of a kind whose workers must have features, or not; a new kind is declared.
  mutating func number(of kind: ConstrainedKind, in machine: inout PoolMachine) -> KindID {
    if kind.features.isEmpty { return number(of: kind.name, in: &machine) }
    if let known = constrained[kind] { return known }
    let new = machine.dispatcher.addKind(servedBy: servers(of: kind))
    constrained[kind] = new
    return new
  }

  /// The worker configurations whose workers are known to serve a kind.
  private func servers(of kind: ConstrainedKind) -> [ConfigurationID] {
    served
      .filter { id, names in
        names.contains(kind.name) && (features[id] ?? []).isSuperset(of: kind.features)
      }
      .keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The numbers of those kinds that have one, as the workers of a configuration serve them.
  func numbers(of names: Set<String>, for configuration: ConfigurationID) -> [KindID] {
    numbers(of: names, on: features[configuration] ?? [])
  }

  /// The numbers of those kinds that have one, among them those whose features these machines have.
  func numbers(of names: Set<String>, on features: Set<String>) -> [KindID] {
    let plain = names.compactMap { numbers[$0] }
    let special = constrained.filter { kind, _ in
      names.contains(kind.name) && features.isSuperset(of: kind.features)
    }
    return (plain + special.values).sorted { $0.rawValue < $1.rawValue }
  }

  /// A worker configuration was added, whose machines have these features; without `kinds`, those
  /// of its workers are unknown.
  mutating func begin(
    _ configuration: ConfigurationID,
    serving kinds: [String]? = nil,
    on features: Set<String> = []
  ) {
    served[configuration] = kinds.map { Set($0) }
    self.features[configuration] = features.isEmpty ? nil : features
  }

  /// The kinds that the workers of a configuration serve; nil while they are unknown.
  func served(by configuration: ConfigurationID) -> Set<String>? { served[configuration] }

  /// Whether a worker that serves these kinds lacks some that its configuration serves.
  func lacksSome(_ names: Set<String>, of configuration: ConfigurationID) -> Bool {
    served[configuration].map { !$0.isSubset(of: names) } ?? false
  }

  /// Stores the kinds of a configuration's first worker; has no effect if they are known.
  mutating func note(_ names: Set<String>, of configuration: ConfigurationID) {
    if served[configuration] == nil { served[configuration] = names }
  }
}
