import PoolModel
import PoolSystem

/// The jobserver that the environment names, as this process found it at its start.
///
/// Later, other files may have the numbers of descriptors that were not open.
enum Jobserver: Hashable, Sendable {
  case none
  /// The environment names one that cannot be used: the recipe of the parent make has no `+`.
  case unavailable
  case found(MakeFlags.Address, jobs: Int?)

  /// The variable that names it.
  static let variable = "MAKEFLAGS"

  /// Looks for one in the environment.
  static func find() -> Self {
    guard let text = ProcessEnvironment.current.value(of: variable) else { return .none }
    return Self(MakeFlags(text)) { read, write in
      Descriptors.isFIFO(read, forWriting: false) && Descriptors.isFIFO(write, forWriting: true)
    }
  }

  /// Decides by the variable, and by whether the two ends of a pipe are open.
  init(_ flags: MakeFlags, areOpen: (_ read: Int32, _ write: Int32) -> Bool) {
    switch flags.address {
    case .pipe(let read, let write) where !areOpen(read, write): self = .unavailable
    case .some(let address): self = .found(address, jobs: flags.jobs)
    case nil: self = flags.namesJobserver ? .unavailable : .none
    }
  }

  /// How many operations the parent allows in all, where it says that.
  var jobs: Int? {
    if case .found(_, let jobs) = self { jobs } else { nil }
  }
}

extension JobTokens {
  /// The tokens of the parent's jobserver; nil where there is none.
  static func connect(_ options: SharedOptions) -> JobTokens? {
    switch options.starts.jobserver {
    case .none: return nil
    case .unavailable:
      let isReplaced = options.starts.servesJobs
      if !isReplaced { warn("add '+' to the line of the parent make's recipe", options) }
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

  /// Becomes the jobserver of all commands, for so many operations at once, if the user wants that.
  ///
  /// One of the tokens is not in the pipe, but this process's own.
  static func serve(
    _ jobs: Int,
    _ options: SharedOptions
  ) throws(BatchRun.RunFailure) -> JobTokens? {
    guard options.starts.servesJobs else { return nil }
    let tokens = [UInt8](repeating: UInt8(ascii: "+"), count: jobs - 1)
    let pipe: TokenPipe
    do throws(SystemFailure) {
      pipe = try TokenPipe(holding: tokens)
    } catch {
      throw BatchRun.RunFailure(.workers, "--jobserver: \(error)")
    }
    if let ends = pipe.ends {
      let flags = MakeFlags(ProcessEnvironment.current.value(of: Jobserver.variable) ?? [])
      let text = flags.naming(read: ends.read, write: ends.write, jobs: jobs)
      ProcessEnvironment.assign(Jobserver.variable, text)
    }
    return JobTokens(pipe)
  }
}
