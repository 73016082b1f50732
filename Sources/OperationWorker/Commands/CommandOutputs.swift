import PoolSystem
import PoolWire

/// The destinations of a command's two outputs.
enum CommandOutputs {
  /// Into pipes, which are emptied while it executes, and delivered when it has ended.
  case gathered(output: Int32, error: Int32, by: OutputGatherer)
  /// Into pipes, which are read while it executes.
  case pipes(LivePipes)
  /// Streams of the coordinator, which does not see the output.
  case streams(InheritedStreams)

  /// The command's descriptor 1.
  var output: Int32 {
    switch self {
    case .gathered(let output, _, _): output
    case .pipes(let pipes): pipes.output.write
    case .streams(let streams): streams.output
    }
  }

  /// The command's descriptor 2.
  var error: Int32 {
    switch self {
    case .gathered(_, let error, _): error
    case .pipes(let pipes): pipes.error.write
    case .streams(let streams): streams.error
    }
  }
}

extension CommandOutputs {
  /// The command was started: closes the ends that only it is to have.
  func closeWriteEnds() {
    if case .gathered(_, _, let gatherer) = self { gatherer.closeWriteEnds() }
  }

  /// The command was not started.
  func discard() {
    if case .gathered(_, _, let gatherer) = self { gatherer.discard() }
  }
}

/// The pipes of a command whose outputs are read while it executes; reading them never blocks.
struct LivePipes: Hashable, Sendable {
  let output: Descriptors.PipeEnds
  let error: Descriptors.PipeEnds

  init() throws(SystemFailure) {
    output = try Self.pipe()
    do throws(SystemFailure) {
      error = try Self.pipe()
    } catch {
      Descriptors.close(output.read)
      Descriptors.close(output.write)
      throw error
    }
  }

  private static func pipe() throws(SystemFailure) -> Descriptors.PipeEnds {
    let pipe = try Descriptors.pipe()
    do throws(SystemFailure) {
      try Descriptors.setNonBlocking(pipe.read)
    } catch {
      Descriptors.close(pipe.read)
      Descriptors.close(pipe.write)
      throw error
    }
    return pipe
  }

  /// Makes the pipes usable by another command: an earlier command may have set flags such as
  /// `O_NONBLOCK` and `O_DIRECT`.
  func resetFlags() throws(SystemFailure) {
    try Descriptors.clearFlags(output.write)
    try Descriptors.clearFlags(error.write)
  }

  /// Closes the ends that commands write to.
  func closeWriteEnds() {
    Descriptors.close(output.write)
    Descriptors.close(error.write)
  }
}
