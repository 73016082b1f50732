/// What a trace does not show, and where workers were.
package struct TraceOptions: Hashable, Sendable {
  package var omissions: PageOptions.Omissions
  /// The command that started the workers of each worker configuration of the user; those behind
  /// them are of this machine.
  package var workerCommands: [[UInt8]]

  package init(omissions: PageOptions.Omissions = [], workerCommands: [[UInt8]] = []) {
    (self.omissions, self.workerCommands) = (omissions, workerCommands)
  }
}
