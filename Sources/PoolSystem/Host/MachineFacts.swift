import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's limits and capabilities for this process, for people to read.
package struct MachineFacts: Hashable, Sendable {
  /// Processors of the machine, and those that the affinity allows, if that is known.
  package var online = Processors.online
  package var allowed = Processors.allowed
  /// Processors by the lowest quota of the cgroups around the process; nil if there is none.
  package var quota = Processors.quotas.map(\.processors).min()
  /// The process's limit of open descriptors, and the highest one that it may set.
  package var descriptors = Descriptors.limit
  package var highestDescriptors = Int(opool_highest_descriptor_limit())
  /// Maximum number of processes of the user, and of the cgroup; nil for no limit.
  package var userProcesses = MachineFacts.userProcessLimit
  package var groupProcesses = ControlGroup.lowestLimit(of: .processes) { _ in "pids.max" }
  /// Whether the system counts the processes of the cgroup that it kills when memory is short.
  package var tellsMemoryKills = MemoryEvents.killCount != nil
  /// Whether the system has process handles, so that a signal cannot reach another process with the
  /// same number.
  package var holdsProcesses = MachineFacts.canHoldProcess
  /// Whether memory can be shared with workers that may die.
  package var sharesMemory = (try? SharedMemory(count: 4_096)) != nil
  /// The folder for temporary files, and why none can be created there, if that is so.
  package var temporaryFolder = ProcessEnvironment.current.value(of: "TMPDIR") ?? Array("/tmp".utf8)
  package var temporaryObstacle: SystemFailure?
  /// The folder that is used instead; nil if there is none.
  package var temporarySubstitute: String?

  /// Looks at the machine.
  package init() {
    let (obstacle, place) = TemporaryFile.trial()
    temporaryObstacle = obstacle
    temporarySubstitute = obstacle == nil ? nil : place
  }

  private static var userProcessLimit: Int? {
    let limit = opool_process_limit()
    return limit < 0 ? nil : Int(limit)
  }

  private static var canHoldProcess: Bool {
    let descriptor = opool_open_process(getpid())
    guard descriptor >= 0 else { return false }
    Descriptors.close(descriptor)
    return true
  }
}
