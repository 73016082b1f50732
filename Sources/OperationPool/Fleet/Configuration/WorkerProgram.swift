import Foundation
import OperationWorker
import PoolWire

/// The program of a worker.
enum WorkerProgram: Sendable {
  /// A program that speaks the protocol on its standard input and output.
  case executable(WorkerExecutable)
  /// A shell command, under the launcher, which locks the journal against later runs.
  case command(String, journal: String? = nil)
  /// No program: a block worker, which executes blocks or groups.
  case blocks
  /// No program: threads of this process, which speak the protocol and serve these kinds.
  case hosted([WorkerKind])

  /// The program, if it is started without a shell.
  var executable: WorkerExecutable? {
    if case .executable(let executable) = self { executable } else { nil }
  }
}

/// A program that is started without a shell, and the descriptors and variables that it gets.
struct WorkerExecutable: Sendable {
  let url: URL
  var arguments: [String] = []
  /// Environment variables in addition to this process's.
  var environment: [String: String] = [:]
  /// Streams of this process that commands may write to, under the same numbers.
  var streams: InheritedStreams?
  /// Other descriptors of this process that it gets, under the same numbers.
  var passedDescriptors: [Int32] = []

  /// Whether it inherits more of this process than its three pipes.
  var inheritsDescriptors: Bool { streams != nil || !passedDescriptors.isEmpty }
}
