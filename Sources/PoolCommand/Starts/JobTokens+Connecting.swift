import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

extension JobTokens {
  /// The tokens of the parent's jobserver; nil if there is none.
  static func connect(_ options: SharedOptions) -> JobTokens? {
    switch options.starts.jobserver {
    case .none: return nil
    case .unavailable(let obstacle):
      let isReplaced = options.starts.servesJobs
      if !isReplaced { warn(obstacle.words, options) }
      return nil
    case .found(.pipe(let read, let write), _):
      return JobTokens(TokenPipe(read: read, write: write))
    case .found(.fifo(let path), _):
      do throws(SystemFailure) {
        return JobTokens(try TokenPipe(fifo: path))
      } catch {
        warn("\(Printable.text(path)): \(error.reason)", options)
        return nil
      }
    }
  }

  private static func warn(_ reason: String, _ options: SharedOptions) {
    guard options.verbosity != .quiet else { return }
    CurrentProcess.complain("opool: warning: the jobserver is not available: \(reason)")
  }

  /// Becomes the jobserver of all commands, for this number of operations at once, if the user
  /// wants that.
  ///
  /// One of the tokens is not in the pipe, but this process's own.
  static func serve(
    _ jobs: Int,
    _ options: SharedOptions
  ) throws(RunFailure) -> JobTokens? {
    guard options.starts.servesJobs else { return nil }
    let tokens = [UInt8](repeating: UInt8(ascii: "+"), count: jobs - 1)
    let pipe: TokenPipe
    do throws(SystemFailure) {
      pipe = try TokenPipe(holding: tokens)
    } catch {
      throw RunFailure(.workers, "--jobserver: \(error)")
    }
    if let ends = pipe.ends {
      let flags = MakeFlags(ProcessEnvironment.current.value(of: Jobserver.variable) ?? [])
      let text = flags.naming(read: ends.read, write: ends.write, jobs: jobs)
      ProcessEnvironment.assign(Jobserver.variable, text)
    }
    return JobTokens(pipe, isServer: true)
  }
}
