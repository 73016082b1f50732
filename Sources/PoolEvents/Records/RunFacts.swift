import PoolModel

/// A run has begun: on which machine, from which arguments.
///
/// A journal of an early version does not say the name of the machine, its cores, the width and the
/// arguments.
package struct RunBegan: Hashable, Sendable {
  /// Nanoseconds from 1970 to the moment from which all times of the run count.
  package var start: Int64
  /// The version of the program, nil where an early one has not said it.
  package var version: String?
  /// The run: the same for all runs of a journal, in hexadecimal digits.
  package var run: [UInt8]
  /// The journal, and the number of this run in it, from 1.
  package var journal: [UInt8]?
  package var epoch: Int?
  /// The process, the name of its machine, and that machine's boot.
  package var process: Int32
  package var host: [UInt8]?
  package var boot: [UInt8]?
  /// Number of processors that it may use, and bytes of memory.
  package var cores: Int?
  package var memory: Int64?
  /// Number of operations that execute at once at the start.
  package var width: Int?
  /// Nanoseconds from one start to the next at least; nil if starts need not be apart.
  package var delay: Int64?
  /// The arguments behind the program's name, and the folder in which it was started.
  package var arguments: [[UInt8]]?
  package var folder: [UInt8]?

  package init(
    start: Int64,
    run: [UInt8],
    journal: (path: [UInt8], epoch: Int)?,
    process: Int32,
    host: [UInt8]? = nil,
    boot: [UInt8]?,
    cores: Int? = nil,
    memory: Int64? = nil,
    width: Int? = nil,
    delay: Int64? = nil,
    arguments: [[UInt8]]? = nil,
    folder: [UInt8]?,
    version: String? = PackageVersion.text
  ) {
    self.version = version
    (self.start, self.run, self.process) = (start, run, process)
    (self.journal, epoch) = (journal?.path, journal?.epoch)
    (self.host, self.boot, self.cores, self.memory) = (host, boot, cores, memory)
    (self.width, self.delay) = (width, delay)
    (self.arguments, self.folder) = (arguments, folder)
  }
}

/// A run ends early, because enough operations have ended as the user named.
package struct RunHalted: Hashable, Sendable {
  /// As on the command line, such as `now,fail=1`.
  package var policy: String
  package var failedCount: Int
  package var succeededCount: Int

  package init(policy: String, failed: Int, succeeded: Int) {
    self.policy = policy
    (failedCount, succeededCount) = (failed, succeeded)
  }
}

/// A run has ended.
package struct RunEnded: Hashable, Sendable {
  package var exitCode: Int32

  package init(exitCode: Int32) {
    self.exitCode = exitCode
  }
}
