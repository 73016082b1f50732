import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The number of processors for this process: the meaning of "as many as there are cores".
package enum Processors {
  /// Number of processors that the process may run on, or the time quota in processors if that is
  /// less; at least 1.
  ///
  /// Found once.
  package static let available: Int = count(of: allowed ?? online, under: quotas)

  /// Number of processors of the machine.
  package static var online: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

  /// Number of processors that the process may run on, by its affinity; nil if unknown.
  package static var allowed: Int? {
    let count = Int(opool_allowed_processors())
    return count > 0 ? count : nil
  }

  /// Number of processors that all the quotas together allow; a part of one counts as one.
  package static func count(of online: Int, under quotas: [ProcessorQuota]) -> Int {
    max(quotas.map(\.processors).reduce(online, min), 1)
  }

  /// The quotas of the process's cgroup, and of those around it.
  package static var quotas: [ProcessorQuota] {
    ControlGroup.own(limiting: .processors).flatMap { group in
      group.folders.compactMap { quota(in: $0, of: group.version) }
    }
  }

  private static func quota(
    in folder: String,
    of version: ControlGroup.Version
  ) -> ProcessorQuota? {
    switch version {
    case .two:
      return SystemFile.read(folder + "/cpu.max").flatMap { ProcessorQuota(line: $0) }
    case .one:
      guard let quota = SystemFile.read(folder + "/cpu.cfs_quota_us"),
        let period = SystemFile.read(folder + "/cpu.cfs_period_us")
      else { return nil }
      return ProcessorQuota(line: quota + " " + period)
    }
  }
}

/// Processor time that a cgroup may use in each period.
package struct ProcessorQuota: Hashable, Sendable {
  package var microseconds: Int
  package var period: Int

  /// Parses a quota and a period, as in `cpu.max`; nil for no quota, which is `max` or, in version
  /// 1, -1.
  package init?(line: String) {
    let words = line.split { $0.isWhitespace }
    guard words.count == 2, let microseconds = Int(words[0]), let period = Int(words[1]),
      microseconds > 0, period > 0
    else { return nil }
    self.microseconds = microseconds
    self.period = period
  }

  /// Number of processors that it allows; a part of one counts as one.
  package var processors: Int {
    let (whole, part) = microseconds.quotientAndRemainder(dividingBy: period)
    return part > 0 ? whole + 1 : whole
  }
}
