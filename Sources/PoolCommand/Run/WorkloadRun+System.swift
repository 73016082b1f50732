import PoolInputs
import PoolReports
import PoolSystem

// What a run needs of the system.

extension WorkloadRun {
  /// Throws if a run would have no memory, or no place for its temporary files.
  static func prepareSystem(_ options: SharedOptions) throws {
    try checkMemory()
    try StartFolders.prepare(options)
    try checkTemporaryFiles(options)
  }

  /// Address space that a run needs beside its operations, mostly for the stacks of threads: 56
  /// MiB.
  ///
  /// With less, Foundation starts no worker and reports no error.
  private static let leastMemory = 56 << 20

  /// Throws if the limit on memory leaves no room for a run.
  private static func checkMemory() throws(RunFailure) {
    ProcessMemory.spare()
    do throws(SystemFailure) {
      try ProcessMemory.demand(leastMemory)
    } catch {
      let need = "a run needs \(leastMemory >> 20) MiB of address space"
      throw RunFailure(.workers, "\(need), and the limit on it leaves less; raise it (ulimit -v)")
    }
  }

  /// Reports the folder of temporary files if it is not the one that the user wants.
  private static func checkTemporaryFiles(_ options: SharedOptions) throws(RunFailure) {
    do throws(SystemFailure) {
      guard let (obstacle, place) = try TemporaryFile.detour(), options.verbosity != .quiet else {
        return
      }
      CurrentProcess.complain("opool: TMPDIR: \(obstacle); temporary files lie in \(place) instead")
    } catch {
      let advice = "set it to a folder that can be written"
      throw RunFailure(.output, "TMPDIR: no temporary file can be made, \(advice): \(error)")
    }
  }
}
