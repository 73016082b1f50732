import PoolModel

/// When operations start, and where and how commands execute.
package struct StartOptions: Hashable, Sendable {
  /// Nanoseconds from one start to the next at least.
  package var delay: Int64 = 0
  package var load: LoadLimit?
  /// Bytes of memory that must be available for a start.
  package var memory: Int64?
  /// Whether operations of one priority start in a random order.
  package var shuffles = false
  /// The nice value of commands without their own.
  package var nice = 0
  /// The folder of commands; nil for this process's own.
  package var folder: [UInt8]?
  /// The folder for temporary files.
  package var temporaryFolder: [UInt8]?

  /// Descriptors of this process that commands get, under the same numbers.
  package var passed: [Int32] = []
  /// Whether commands find a jobserver, which is this process.
  package var servesJobs = false
  /// The jobserver that this process was started under.
  var jobserver = Jobserver.none

  package init() {}
}
