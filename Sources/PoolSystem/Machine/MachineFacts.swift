import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the system offers to this process, for people to read.
package struct MachineFacts: Hashable, Sendable {
  /// Processors of the machine, and those that the affinity allows, if that is known.
  package var online = Processors.online
  package var allowed = Processors.allowed
  /// Processors by the lowest quota of the cgroups around the process; nil if there is none.
  package var quota = Processors.quotas.map(\.processors).min()
  /// How many descriptors the process may have open, and may allow itself.
  package var descriptors = Descriptors.limit
  package var highestDescriptors = Int(opool_highest_descriptor_limit())
  /// How many processes the user may have, and the cgroup; nil where there is no limit.
  package var userProcesses = MachineFacts.userProcessLimit
  package var groupProcesses = MachineFacts.groupProcessLimit
  /// Whether the system tells which processes of the cgroup it kills for their memory.
  package var tellsMemoryKills = MemoryEvents.killCount != nil
  /// Whether a process can be held, so that a signal cannot reach another one with its number.
  package var holdsProcesses = MachineFacts.canHoldProcess
  /// Whether memory can be shared with workers that may die.
  package var sharesMemory = (try? SharedMemory(count: 4_096)) != nil
  /// The folder for temporary files, and why none can be made there, if so.
  package var temporaryFolder = ProcessEnvironment.current.value(of: "TMPDIR") ?? Array("/tmp".utf8)
  package var temporaryObstacle: SystemFailure?
  /// Where they are made instead; nil if nowhere else.
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

  private static var groupProcessLimit: Int? {
    guard let membership = SystemText.read("/proc/self/cgroup"),
      let mounts = SystemText.read("/proc/self/mountinfo")
    else { return nil }
    let folders = ControlGroup.all(membership: membership, mounts: mounts).flatMap(\.folders)
    return folders.compactMap { folder in
      SystemText.read(folder + "/pids.max").flatMap { Int($0.prefix { $0.isNumber }) }
    }.min()
  }

  private static var canHoldProcess: Bool {
    let descriptor = opool_open_process(getpid())
    guard descriptor >= 0 else { return false }
    Descriptors.close(descriptor)
    return true
  }
}
