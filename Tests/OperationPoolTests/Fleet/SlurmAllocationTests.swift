import PoolSystem
import Testing

@testable import OperationPool

/// Contract: the nodes are those of the environment that Slurm gives to a job, or none.
@Suite("An allocation of Slurm")
struct SlurmAllocationTests {
  private func nodes(_ list: String?, job: String? = "7") -> [Int]? {
    var environment = ProcessEnvironment.current
    for (name, value) in [("SLURM_JOB_ID", job), ("SLURM_JOB_CPUS_PER_NODE", list)] {
      environment.remove(name)
      if let value { environment.set([(Array(name.utf8), Array(value.utf8))]) }
    }
    return SlurmAllocation(environment)?.nodes.map(\.processors)
  }

  @Test("Each node has its number of processors, in order")
  func nodes() {
    #expect(nodes("4") == [4])
    #expect(nodes("72(x2),36") == [72, 72, 36])
    #expect(nodes("1,2(x1),3(x3)") == [1, 2, 3, 3, 3])
  }

  @Test("Outside of a job, and in what is not understood, there are none")
  func none() {
    #expect(nodes("4", job: nil) == nil)
    #expect(nodes(nil) == nil)
    for list in ["", ",", "x", "0", "-1", "4(", "4(x)", "4(x0)", "4(y2)", "4(x2", "4(x999999999)"] {
      #expect(nodes(list) == nil, "\(list)")
    }
  }

  @Test("A step has its node's processors, and no variable that changes its streams")
  func line() {
    let line = SlurmAllocation.Node(index: 3, processors: 36).line(program: "/w")
    #expect(line.hasPrefix("env -u SLURM_LABELIO "))
    #expect(line.contains(" -r 3 -c 36 --exact --overlap --kill-on-bad-exit=0 "))
    #expect(line.hasSuffix(" '/w' --slots=36"))
  }
}
