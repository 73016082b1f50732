import Foundation
import OperationWorker
import PoolWire

/// What a worker is started from.
enum WorkerProgram: Sendable {
  /// A program that speaks the protocol on its standard input and output.
  case executable(WorkerExecutable)
  /// A shell command, under the launcher, which keeps later runs from a journal.
  case command(String, journal: String? = nil)
  /// None: the worker lives in this process, and executes blocks or groups.
  case blocks
  /// None: threads of this process speak the protocol, and serve these kinds.
  case hosted([WorkerKind])

  /// The program, where it is started without a shell.
  var executable: WorkerExecutable? {
    if case .executable(let executable) = self { executable } else { nil }
  }
}

/// A program that is started without a shell, and what it inherits from this process.
struct WorkerExecutable: Sendable {
  let url: URL
  var arguments: [String] = []
  /// What its environment has beside this process's.
  var environment: [String: String] = [:]
  /// Streams of this process that commands may write to, under the same numbers.
  var streams: InheritedStreams?
  /// Other descriptors of this process that it gets, under the same numbers.
  var passedDescriptors: [Int32] = []

  /// Whether it gets more of this process than its three pipes.
  var inheritsDescriptors: Bool { streams != nil || !passedDescriptors.isEmpty }
}
