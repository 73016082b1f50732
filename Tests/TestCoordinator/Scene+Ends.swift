import CPoolSystem
import Foundation
import PoolModel
import PoolSystem

extension Scene {
  /// Prints whether a child's end was waited for, how often this process has given up its processor
  /// meanwhile, and for how many milliseconds it has worked.
  ///
  /// The child lives for 300 ms. No process can be opened where there is no descriptor left: then
  /// it lives until it was waited for 30 times.
  static func end(canOpen: Bool) throws {
    let null = try Descriptors.openNull()
    var launcher = CommandLauncher()
    let child = try launcher.start(
      CommandDescription(
        arguments: ["sleep", canOpen ? "0.3" : "1000"].map { Array($0.utf8) },
        environment: .current,
        standardInput: null,
        standardOutput: null,
        standardError: null
      )
    )
    let (waits, work) = (waitCount, clock())
    var opened: [Int32] = []
    while !canOpen, let descriptor = try? Descriptors.openNull() { opened.append(descriptor) }
    if !canOpen {
      let start = switchCount
      try SystemThread.start(name: "ends", mask: .full) {
        var own = 0
        while switchCount - start < own + 40 {
          own += 1
          MonotonicClock.sleep(nanoseconds: .milliseconds(1))
        }
        child.send(.kill)
      }.detach()
    }
    opool_await_child(child.identifier, .seconds(100))
    for descriptor in opened { Descriptors.close(descriptor) }
    print(child.hasEnded ? "ended" : "alive")
    print(waitCount - waits)
    print(Int(clock() - work) * 1000 / Int(CLOCKS_PER_SEC))
    child.send(.kill)
  }

  /// How often this process has given up a processor of itself; needs no descriptor.
  private static var switchCount: Int {
    var usage = rusage()
    // RUSAGE_SELF, whose type differs from the parameter's on Linux.
    getrusage(0, &usage)
    return usage.ru_nvcsw
  }

  /// How often the threads of this process have given up a processor of themselves.
  private static var waitCount: Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.reduce(0) { sum, thread in
      let path = "/proc/self/task/\(thread)/status"
      let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }
}
