import Foundation
import OperationWorker
import PoolModel
import PoolSystem
import PoolWire

/// Starts a program that speaks the protocol on its standard input and output, on this machine.
struct ExecutableLauncher: WorkerLauncher {
  let url: URL
  var arguments: [String] = []
  /// Environment variables in addition to this process's.
  var environment: [String: String] = [:]
  /// Streams of this process that commands may write to, under the same numbers.
  var streams: InheritedStreams?
  /// Other descriptors of this process that it gets, under the same numbers.
  var passedDescriptors: [Int32] = []

  var place: WorkerPlace { ProcessDescriptor.isAvailable ? .thisMachine : .unseen }
  var isForeign: Bool { !isThisExecutable }

  /// Whether it executes the running program.
  var isThisExecutable: Bool { url == WorkerPrograms.thisExecutable }

  func holding(journal path: String) -> Self {
    var copy = self
    copy.arguments.append("--journal=" + path)
    return copy
  }

  func withoutBacktraces() -> Self {
    let name = BacktraceSetting.variable
    let own = ProcessEnvironment.current.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    var copy = self
    copy.environment[name] = "enable=no"
    copy.environment[BacktraceSetting.original] = own ?? ""
    return copy
  }

  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess {
    // Foundation's children inherit only their three descriptors.
    let isPlain = streams != nil || !passedDescriptors.isEmpty
    return try SpawnedProcess.spawn(plainly: isPlain, ended: ended) { process in
      // Checked first, because a launch that fails leaks two descriptors.
      guard WorkerPrograms.isExecutable(url) else {
        throw PoolError(.noWorker, "'\(url.path(percentEncoded: false))' cannot be executed")
      }
      try WorkerPrograms.demandNoTests(url)
      process.executableURL = url
      process.arguments = arguments
      // Without an environment of its own, it inherits this process's.
      if !environment.isEmpty {
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      }
    }
  }
}
