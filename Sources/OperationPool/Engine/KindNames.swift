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

  init() {}

  /// Number of stored names.
  var count: Int { numbers.count + served.values.reduce(0) { $0 + $1.count } }

  /// The number of a kind; a new kind is declared to the machine.
  mutating func number(of name: String, in machine: inout PoolMachine) -> KindID {
    // Most batches are of one kind, and comparing two names is cheaper than hashing one.
    if let last, last.name == name { return last.kind }
    let kind = numbers[name] ?? add(name, to: &machine)
    last = (name, kind)
    return kind
  }

  private mutating func add(_ name: String, to machine: inout PoolMachine) -> KindID {
    let configurations = served.filter { $0.value.contains(name) }.keys
    let kind = machine.dispatcher.addKind(
      servedBy: configurations.sorted { $0.rawValue < $1.rawValue }
    )
    numbers[name] = kind
    return kind
  }

  /// The numbers of those kinds that have one.
  func numbers(of names: Set<String>) -> [KindID] {
    names.compactMap { numbers[$0] }.sorted { $0.rawValue < $1.rawValue }
  }

  /// A worker configuration was added; without `kinds`, those of its workers are unknown.
  mutating func begin(_ configuration: ConfigurationID, serving kinds: [String]? = nil) {
    served[configuration] = kinds.map { Set($0) }
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
