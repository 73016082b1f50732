import PoolCore
import PoolModel

/// The names of kinds, and their numbers in the machine.
///
/// Only a kind that an operation has, or that a worker configuration names, gets a number. All other
/// kinds that workers serve are kept by name, once for each worker configuration: replacements add
/// nothing, and the names go when the configuration's number is used again.
struct KindNames {
  private var numbers: [String: KindID] = [:]
  private var last: (name: String, kind: KindID)?
  /// What the workers of each worker configuration serve, as the first of them said.
  private var served: [ConfigurationID: Set<String>] = [:]

  init() {}

  /// How many names are kept.
  var count: Int { numbers.count + served.values.reduce(0) { $0 + $1.count } }

  /// The number of a kind, which the machine is told of where it is new.
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

  /// The numbers of these kinds, without the kinds that have none.
  func numbers(of names: Set<String>) -> [KindID] {
    names.compactMap { numbers[$0] }.sorted { $0.rawValue < $1.rawValue }
  }

  /// A worker configuration is new: the kinds that its workers serve are not known.
  mutating func begin(_ configuration: ConfigurationID) {
    served[configuration] = nil
  }

  /// What the workers of a configuration serve; nil where none has said so.
  func served(by configuration: ConfigurationID) -> Set<String>? { served[configuration] }

  /// Whether a worker that serves these kinds lacks some that others of its worker configuration
  /// serve.
  func lacksSome(_ names: Set<String>, of configuration: ConfigurationID) -> Bool {
    served[configuration].map { !$0.isSubset(of: names) } ?? false
  }

  /// Keeps the kinds that a configuration's first worker serves; later ones change nothing.
  mutating func note(_ names: Set<String>, of configuration: ConfigurationID) {
    if served[configuration] == nil { served[configuration] = names }
  }
}
