/// The memory that processes may still allocate without taking any from others.
package enum AvailableMemory {
  /// Bytes that are available on the machine, or in a cgroup of this process, if that is less; nil
  /// if the system does not tell it.
  package static var byteCount: Int64? {
    let machine = SystemFile.read("/proc/meminfo").flatMap { inMachine($0) }
    return ([machine] + groups).compactMap(\.self).min()
  }

  /// The memory left in each cgroup of this process that has a limit.
  private static var groups: [Int64?] {
    ControlGroup.own(limiting: .memory).flatMap { group in
      group.folders.map { folder in
        let usage = group.version == .two ? "memory.current" : "memory.usage_in_bytes"
        guard let limit = SystemFile.read("\(folder)/\(group.memoryLimitFile)"),
          let current = SystemFile.read("\(folder)/\(usage)")
        else { return nil }
        let statistics = SystemFile.read(folder + "/memory.stat") ?? ""
        return inGroup(limit: limit, current: current, statistics: statistics)
      }
    }
  }

  /// The bytes in the text of `/proc/meminfo`.
  package static func inMachine(_ text: String) -> Int64? {
    SystemFile.value(of: "MemAvailable:", in: text).map {
      $0.multipliedReportingOverflow(by: 1_024).0
    }
  }

  /// The bytes below the limit of a cgroup, with the file pages that the system drops first; nil
  /// for no limit.
  package static func inGroup(limit: String, current: String, statistics: String) -> Int64? {
    guard let limit = ControlGroup.limit(in: limit).map({ Int64($0) }),
      let current = number(current)
    else { return nil }
    // In version 1, only the second name includes the cgroups within.
    let spare =
      SystemFile.value(of: "total_inactive_file", in: statistics)
      ?? SystemFile.value(of: "inactive_file", in: statistics) ?? 0
    return max(limit - current + min(spare, current), 0)
  }

  private static func number(_ text: String) -> Int64? {
    Int64(text.prefix { !$0.isWhitespace })
  }
}
