import Foundation
import OperationWorker
import PoolWire

/// The program of a worker.
enum WorkerProgram: Sendable {
  /// A program that speaks the protocol on its standard input and output.
  case executable(WorkerExecutable)
  /// A shell command, under the launcher, which locks the journal against later runs.
  case command(String, journal: String? = nil)
  /// No program: a block worker, which executes blocks.
  case blocks
  /// No program: threads of this process, which speak the protocol and serve these kinds.
  case hosted([WorkerKind])

  /// The program, if it is started without a shell.
  var executable: WorkerExecutable? {
    if case .executable(let executable) = self { executable } else { nil }
  }

  /// The line that a shell executes for a command.
  ///
  /// A single command replaces the shell, so that the worker itself is signalled. Of several, only
  /// the user knows which one is the worker, and writes `exec` before it.
  static func shellLine(_ command: String) -> String {
    joinsCommands(command) ? command : "exec \(command)"
  }

  /// Whether a line has `;`, `&`, `|` or a line feed outside quotes; `2>&1` is none of them.
  private static func joinsCommands(_ line: String) -> Bool {
    var (quote, last) = (Character?.none, Character(" "))
    for character in line {
      defer { last = last == "\\" && character == "\\" ? " " : character }
      if last == "\\", quote != "'" { continue }
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if ";|\n".contains(character) || character == "&" && last != ">" && last != "<" {
        return true
      }
    }
    return false
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
