import CPoolSystem
package import PoolModel

/// A command to execute, with its folder, descriptors and class.
package struct CommandDescription: Hashable, Sendable {
  /// The program, searched on PATH unless it has a slash, and its arguments; never empty.
  package var arguments: [[UInt8]]
  /// The working directory; nil for this process's own.
  package var directory: [UInt8]?
  package var environment: ProcessEnvironment
  /// Its descriptors 0, 1 and 2.
  package var standardInput: Int32
  package var standardOutput: Int32
  package var standardError: Int32
  /// Whether it gets other descriptors that are not close-on-exec, too; without it, where the
  /// system can close them.
  package var inheritsDescriptors = true
  /// Whether it leads its own process group.
  package var leadsGroup = true
  /// The signal that it gets when the thread that starts it ends, if the system supports that.
  package var deathSignal: ProcessSignal?
  /// The class of its execution.
  package var qualityOfService: PoolQualityOfService
  /// Its additional nice value; the sum of both is at most 19.
  package var nice: Int

  package init(
    arguments: [[UInt8]],
    directory: [UInt8]? = nil,
    environment: ProcessEnvironment,
    standardInput: Int32 = 0,
    standardOutput: Int32 = 1,
    standardError: Int32 = 2,
    leadsGroup: Bool = true,
    deathSignal: ProcessSignal? = nil,
    qualityOfService: PoolQualityOfService = .default,
    nice: Int = 0
  ) {
    self.arguments = arguments
    self.directory = directory
    self.environment = environment
    self.standardInput = standardInput
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.leadsGroup = leadsGroup
    self.deathSignal = deathSignal
    self.qualityOfService = qualityOfService
    self.nice = nice
  }

  /// Refuses strings with a zero byte, which C would truncate.
  func checkZeros() throws(SpawnFailure) {
    var whole = arguments.first { $0.contains(0) }
    if let directory, whole == nil, directory.contains(0) { whole = directory }
    let cut = whole.map { Array($0.prefix { $0 != 0 }) } ?? environment.entries.cut
    guard let cut else { return }
    throw SpawnFailure(subject: cut, reason: "a zero byte follows, which no command can take")
  }

  /// Starts the program in a file; returns the child, or the error number.
  ///
  /// All signals get their default effect; the bits say which have another one in this process.
  func spawn(
    _ file: [UInt8],
    arguments: [[UInt8]],
    resetting signals: UInt64
  ) -> Result<Int32, SystemFailure> {
    var (program, child) = (program(resetting: signals), Int32(0))
    // The closures need not capture, and copy, the whole description.
    let (entries, directory) = (environment.entries, directory)
    let code = file.withCString { path in
      program.path = path
      return CStringList(arguments).withPointers { arguments in
        program.arguments = arguments
        return entries.withPointers { environment in
          program.environment = environment
          guard let directory else { return opool_spawn(&program, &child) }
          return directory.withCString { folder in
            program.directory = folder
            return opool_spawn(&program, &child)
          }
        }
      }
    }
    return code == 0 ? .success(child) : .failure(SystemFailure(call: "posix_spawn", code: code))
  }

  /// All of it but the strings.
  private func program(resetting signals: UInt64) -> opool_program {
    opool_program(
      path: nil,
      arguments: nil,
      environment: nil,
      directory: nil,
      descriptors: (standardInput, standardOutput, standardError),
      changed_signals: signals,
      closes_descriptors: inheritsDescriptors ? 0 : 1,
      leads_group: leadsGroup ? 1 : 0,
      death_signal: deathSignal?.number ?? 0,
      nice: min(qualityOfService.niceIncrement + Int32(clamping: nice), 19),
      idle_input_output: qualityOfService == .background ? 1 : 0
    )
  }
}
