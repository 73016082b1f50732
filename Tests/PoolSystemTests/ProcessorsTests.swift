import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: as many as there are cores means as many as this process may use.
@Suite("Processors")
struct ProcessorsTests {
  private static let mounts = """
    22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
    31 22 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
    32 22 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
    33 22 0:30 / /sys/fs/cgroup/uni\\040fied rw shared:9 - cgroup2 cgroup2 rw,nsdelegate
    broken
    """

  private func folders(_ membership: String, _ mounts: String = mounts) -> [[String]] {
    ControlGroup.all(membership: membership, mounts: mounts).map(\.folders)
  }

  @Test("a quota is worth whole processors, and a part of one is worth one")
  func quotas() {
    func worth(_ line: String) -> Int? { ProcessorQuota(line: line)?.processors }
    #expect(worth("200000 100000\n") == 2)
    #expect(worth("200001 100000\n") == 3)
    #expect(worth("1000 100000\n") == 1)
    #expect(worth("\(Int.max) 1") == .max)
    for none in ["max 100000\n", "-1 100000", "0 100000", "1 0", "1", "", "1 2 3", "x 1"] {
      #expect(worth(none) == nil, "\(none)")
    }
  }

  @Test("the smallest limit counts, and at least one processor is left")
  func count() {
    let quotas = ["350000 100000", "900000 100000"].compactMap { ProcessorQuota(line: $0) }
    #expect(Processors.count(of: 8, under: quotas) == 4)
    #expect(Processors.count(of: 2, under: quotas) == 2)
    #expect(Processors.count(of: 8, under: []) == 8)
    #expect(Processors.count(of: 0, under: []) == 1)
    #expect(Processors.available >= 1)
  }

  @Test("a process's own cgroup and all around it may limit it, in both versions")
  func groups() {
    #expect(
      folders("0::/user.slice/a:b\n") == [
        [
          "/sys/fs/cgroup/uni fied", "/sys/fs/cgroup/uni fied/user.slice",
          "/sys/fs/cgroup/uni fied/user.slice/a:b",
        ]
      ]
    )
    #expect(
      folders("4:memory:/x\n3:cpu,cpuacct:/jobs\n1:cpuset:/\n") == [
        ["/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/x"],
        ["/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct/jobs"],
      ]
    )
    #expect(folders("4:pids:/x\nnonsense\n") == [])
    #expect(folders("0::/x", "") == [])
  }

  @Test("each cgroup of version 1 limits what its hierarchy is for, one of version 2 everything")
  func controllers() {
    let membership = "4:memory:/x\n3:cpu,cpuacct:/jobs\n0::/all\n"
    let groups = ControlGroup.all(membership: membership, mounts: Self.mounts)
    #expect(
      groups.map(\.controllers) == [[.memory], [.processors], [.processors, .memory, .processes]]
    )
    let files = ["memory.limit_in_bytes", "memory.limit_in_bytes", "memory.max"]
    #expect(groups.map(\.memoryLimitFile) == files)
  }

  @Test("the lowest limit of a cgroup and those around it counts, and none is none")
  func limits() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "a/b"),
      withIntermediateDirectories: true
    )
    let mounts = "32 22 0:29 / \(folder.path(of: ".")) rw - cgroup cgroup rw,memory"
    let group = try #require(ControlGroup.all(membership: "4:memory:/a/b", mounts: mounts).first)
    #expect(group.lowestLimit("limit") == nil)
    try folder.write("7000\n", to: "a/limit")
    try folder.write("9223372036854771712\n", to: "a/b/limit")
    #expect(group.lowestLimit("limit") == 7_000)
    for none in ["max\n", "9223372036854771712\n", "\(Int.max)", ""] {
      #expect(ControlGroup.limit(in: none) == nil, "\(none)")
    }
    #expect(ControlGroup.limit(in: "1048576\n") == 1 << 20)
  }

  /// A container sees its own cgroup at the mount point, and may know its whole path all the same.
  @Test("a mount that begins within the hierarchy is not looked for by the whole path")
  func containers() {
    let mounts = "33 22 0:30 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw"
    #expect(folders("0::/docker/1", mounts) == [["/sys/fs/cgroup"]])
    #expect(folders("0::/docker/1/job", mounts) == [["/sys/fs/cgroup", "/sys/fs/cgroup/job"]])
    #expect(folders("0::/docker/12", mounts) == [["/sys/fs/cgroup"]])
    #expect(folders("0::/../other", "33 22 0:30 / /c ro - cgroup2 c rw") == [["/c"]])
  }
}
