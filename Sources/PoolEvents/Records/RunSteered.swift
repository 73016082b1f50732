/// Another process has steered the run.
package struct RunSteered: Hashable, Sendable {
  /// What was asked for, and has begun to happen.
  package enum Action: Hashable, Sendable {
    /// Operations were cancelled.
    case cancel(CancelledTargets)
    /// Another number of operations execute at once, after so many before.
    case scale(to: Int, from: Int)
    /// Nothing begins any more.
    case pause
    /// Operations begin again.
    case unpause
  }

  /// What a request to cancel was about.
  package struct CancelledTargets: Hashable, Sendable {
    /// The numbers of the operations and groups that were named.
    package var numbers: [Int]
    /// Number of operations that had not ended.
    package var count: Int
    /// Number of operations that will be skipped because of that.
    package var skippedCount: Int

    package init(_ numbers: [Int], count: Int, skipped: Int) {
      (self.numbers, self.count, skippedCount) = (numbers, count, skipped)
    }
  }

  /// A process that has asked, as the system says.
  package struct Asker: Hashable, Sendable {
    /// Its user.
    package var user: UInt32?
    package var process: Int32?
    /// The name of its program.
    package var command: [UInt8]?

    package init(user: UInt32?, process: Int32? = nil, command: [UInt8]? = nil) {
      (self.user, self.process, self.command) = (user, process, command)
    }
  }

  package var action: Action
  package var asker: Asker

  package init(_ action: Action, by asker: Asker) {
    (self.action, self.asker) = (action, asker)
  }
}
