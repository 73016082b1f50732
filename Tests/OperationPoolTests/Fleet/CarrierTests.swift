import PoolCore
import PoolModel
import Testing

@testable import OperationPool

/// Contract: what waits for a machine has as much time to greet as it needs.
@Suite("Carriers")
struct CarrierTests {
  @Test("ssh, srun and salloc may wait, by whatever path, and behind assignments and exec")
  func waiting() {
    for command in ["ssh box worker", "/usr/bin/srun -n1 worker", "exec salloc w", "A=1 B= ssh x"] {
      #expect(Carrier.mayWait(command), "\(command)")
    }
    for command in ["", "worker", "sh -c 'ssh box worker'", "./ssh-like", "sshd", "A=ssh worker"] {
      #expect(!Carrier.mayWait(command), "\(command)")
    }
  }

  @Test("they have no limit unless there is one for them; other commands have the pool's")
  func limits() {
    let policy = PoolPolicy()
    let far = PoolWorkerConfiguration.command("ssh box opool-worker", count: 1)
    #expect(far.greetingTimeout(by: policy) == .max)
    #expect(far.greeting(within: .seconds(9)).greetingTimeout(by: policy) == .seconds(9))
    let near = PoolWorkerConfiguration.command("opool-worker", count: 1)
    #expect(near.greetingTimeout(by: policy) == policy.foreignGreetingTimeout)
  }
}
