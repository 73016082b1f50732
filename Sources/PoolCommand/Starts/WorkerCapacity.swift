import PoolSystem

/// How many workers the limits of this process allow.
struct WorkerCapacity: Hashable {
  /// Descriptors that the coordinator needs for itself, and for each worker.
  private static let ownDescriptors = 24
  private static let workerDescriptors = 4
  /// A worker, its guardian and its command.
  private static let workerProcesses = 3

  /// Workers for which there are descriptors.
  let byDescriptors: Int
  /// Number of workers for which there are processes; nil if processes are not limited.
  let byProcesses: Int?

  private let descriptors: Int
  /// How many processes there may be, with all that exist already.
  let processes: Int?

  init(_ facts: MachineFacts) {
    descriptors = facts.descriptors
    processes = [facts.userProcesses, facts.groupProcesses].compactMap(\.self).min()
    byDescriptors = max(facts.descriptors - Self.ownDescriptors, 0) / Self.workerDescriptors
    byProcesses = processes.map { $0 / Self.workerProcesses }
  }

  /// As many as all limits allow; at least 1.
  var most: Int { max(min(byDescriptors, byProcesses ?? .max, WidthRequest.limit), 1) }

  /// The limit that determines ``most``.
  var reason: String {
    if most == WidthRequest.limit { return "more are never needed" }
    if let processes, let byProcesses, byProcesses < byDescriptors {
      return "the limit of \(processes) processes allows no more"
    }
    return "the limit of \(descriptors) descriptors allows no more (ulimit -n)"
  }
}
