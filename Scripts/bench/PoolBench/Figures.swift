import Foundation

/// What the measurements print: lines of a name and a number, which `Scripts/bench/run` reads.
enum Figures {
  /// Prints one figure at once, so that a reader need not wait for the end.
  static func say(_ name: String, _ value: Double) {
    print("\(name) \(value)")
    fflush(nil)
  }

  /// Prints the 50th and the 99th percentile.
  static func sayPercentiles(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    say("\(name).p50", sorted[sorted.count / 2])
    say("\(name).p99", sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
  }

  /// How long something takes.
  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }

  /// Number of times that threads of this process have left their processors.
  static var contextSwitches: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_nvcsw + usage.ru_nivcsw
  }

  /// The processor time that this process has used.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
