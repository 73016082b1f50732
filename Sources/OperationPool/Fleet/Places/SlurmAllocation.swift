import OperationWorker
import PoolModel
package import PoolSystem

/// The nodes that Slurm has given to this process's job.
package struct SlurmAllocation: Hashable, Sendable {
  /// A node of the allocation.
  package struct Node: Hashable, Sendable {
    /// Its place in the allocation.
    package let index: Int
    /// The processors that the job has there.
    package let processors: Int

    package init(index: Int, processors: Int) {
      (self.index, self.processors) = (index, processors)
    }
  }

  package let nodes: [Node]

  /// The variable with the job's number.
  package static let jobVariable = "SLURM_JOB_ID"

  /// The allocation that the environment names; nil outside of one, or if it is not understood.
  ///
  /// `SLURM_JOB_CPUS_PER_NODE` has them in order, such as `72(x2),36`.
  package init?(_ environment: ProcessEnvironment) {
    guard environment.value(of: Self.jobVariable) != nil,
      let list = environment.value(of: "SLURM_JOB_CPUS_PER_NODE")
    else { return nil }
    var counts: [Int] = []
    for entry in String(decoding: list, as: UTF8.self).split(separator: ",") {
      let words = entry.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
      guard let count = words.first.flatMap({ Int($0) }), count > 0 else { return nil }
      var times = 1
      if words.count == 2 {
        guard words[1].hasPrefix("x"), words[1].hasSuffix(")"),
          let number = Int(words[1].dropFirst().dropLast()), (1...100_000).contains(number)
        else { return nil }
        times = number
      }
      counts += Array(repeating: count, count: times)
    }
    guard !counts.isEmpty else { return nil }
    nodes = counts.enumerated().map { Node(index: $0, processors: $1) }
  }
}

extension SlurmAllocation.Node {
  /// Variables that would label, redirect or bind the step's streams in another way.
  private static let harmful = [
    "SLURM_LABELIO", "SLURM_STDINMODE", "SLURM_STDOUTMODE", "SLURM_STDERRMODE", "SLURM_OPEN_MODE",
    "SLURM_CPU_BIND", "SLURM_DISTRIBUTION", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE", "SLURM_NPROCS",
    "SRUN_DEBUG",
  ]

  /// The line for a shell that starts a relay there, as a step of the job; the program has the same
  /// path there.
  ///
  /// The step gets all processors that the job has on the node, beside other steps of it, and
  /// outlives a task that fails.
  func line(program: String) -> String {
    let unset = Self.harmful.map { "-u \($0)" }.joined(separator: " ")
    let step = "-N1 -n1 -r \(index) -c \(processors) --exact --overlap --kill-on-bad-exit=0"
    return "env \(unset) srun -Q \(step) '\(program)' --slots=\(min(processors, Relay.slotLimit))"
  }
}
