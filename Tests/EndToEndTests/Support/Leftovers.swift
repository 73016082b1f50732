import Foundation
import PoolModel
import PoolSystem

/// What a run has left behind: processes, found by a variable in the environment that all of them
/// inherit.
enum Leftovers {
  static let variable = "OPOOL_TEST_RUN"

  /// How long a process that was killed may take to be gone: 60 s.
  private static let patience = Int64.seconds(60)

  /// The command lines of processes that live on, given time for those that were just killed; but
  /// not of what lives on purpose, as its command line tells.
  static func processes(of marker: String, but isWanted: (String) -> Bool = { _ in false })
    -> [String]
  {
    let deadline = MonotonicClock.now + patience
    while true {
      let living = processesNow(of: marker).filter { !isWanted($0) }
      if living.isEmpty || MonotonicClock.now > deadline { return living }
      // No longer children of ours: their end is not reported.
      sched_yield()
    }
  }

  /// The processes of that name that live now.
  static func identifiers(of marker: String, named name: String) -> [Int32] {
    identifiersNow(of: marker).filter { read("/proc/\($0)/comm") == Data("\(name)\n".utf8) }
  }

  /// Ends what lives on purpose.
  static func kill(_ marker: String) {
    for pid in identifiersNow(of: marker) { ProcessSignal.kill.send(toProcess: pid) }
  }

  private static func processesNow(of marker: String) -> [String] {
    identifiersNow(of: marker).map { pid in
      let words = read("/proc/\(pid)/cmdline") ?? Data()
      return "\(pid): \(String(decoding: words.map { $0 == 0 ? 32 : $0 }, as: UTF8.self))"
    }
  }

  private static func identifiersNow(of marker: String) -> [Int32] {
    let entry = Data("\(variable)=\(marker)".utf8)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    // Gone, or a zombie, where there is nothing to read.
    return names.compactMap { Int32($0) }.filter { pid in
      read("/proc/\(pid)/environ")?.range(of: entry) != nil
    }
  }

  private static func read(_ path: String) -> Data? {
    FileManager.default.contents(atPath: path)
  }
}
