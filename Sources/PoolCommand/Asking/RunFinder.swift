import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// Finds the runs of this user on this machine, and asks them.
struct RunFinder {
  /// How long a run may take for each step of an answer: a run that is stopped never answers.
  private static let patience: Int32 = 1_000
  /// The most bytes of an answer.
  private static let limit = 64 << 20

  /// A run that has a socket.
  struct Run {
    let name: RunFileName
    fileprivate let path: [UInt8]
  }

  private let folder: RuntimeFolder

  init(_ folder: RuntimeFolder = RuntimeFolder(named: "opool", in: .current)) {
    self.folder = folder
  }

  /// The runs in the order of their beginning.
  ///
  /// The socket of a dead one is removed when it is asked.
  var runs: [Run] {
    // What others could have put there is asked nothing.
    guard folder.isSafe else { return [] }
    let runs = folder.names.compactMap { bytes in
      RunFileName(.socket, bytes).map { name in
        Run(name: name, path: folder.path + [UInt8(ascii: "/")] + bytes)
      }
    }
    return runs.sorted { $0.name < $1.name }
  }

  /// The run of a process, or the only run; throws with the candidates if that is not one.
  func run(of process: Int32?) throws(RunFailure) -> Run {
    let living = runs.filter(isAlive)
    let wanted = living.filter { process == nil || $0.name.process == process }
    if wanted.count == 1 { return wanted[0] }
    guard !living.isEmpty else {
      let whose = process.map { " of process \($0)" } ?? ""
      throw RunFailure(.usage, "there is no run\(whose) that could be asked")
    }
    let candidates = living.map { "  --run \($0.name.process)" }.joined(separator: "\n")
    let reason =
      process.map { "there is no run of process \($0); these there are:" }
      ?? "there are several runs; choose one:"
    throw RunFailure(.usage, "\(reason)\n\(candidates)")
  }

  private func isAlive(_ run: Run) -> Bool {
    do throws(RunFailure) {
      return try ask(run, RunQuestion(.summary, wantsJSON: true)) != nil
    } catch {
      // It lives, and does not answer.
      return true
    }
  }

  /// Asks a run.
  ///
  /// Returns nil if it is dead; throws if it does not answer.
  func ask(_ run: Run, _ question: RunQuestion) throws(RunFailure) -> RunAnswer? {
    do throws(LocalConnection.Failure) {
      let bytes = try LocalConnection.ask(
        run.path,
        question.line,
        milliseconds: Self.patience,
        limit: Self.limit
      )
      // It has ended while it was asked.
      guard !bytes.isEmpty else { return nil }
      return try Self.answer(bytes, of: run)
    } catch {
      switch error {
      case .dead:
        FilePath.remove(run.path)
        return nil
      case .silent:
        throw RunFailure(
          .usage,
          "the run of process \(run.name.process) does not answer; it may be stopped"
        )
      case .system(let reason):
        throw RunFailure(.usage, "the run of process \(run.name.process): \(reason)")
      }
    }
  }

  private static func answer(
    _ bytes: [UInt8],
    of run: Run
  ) throws(LocalConnection.Failure) -> RunAnswer {
    do throws(JSONError) {
      return try RunAnswer(received: bytes)
    } catch {
      throw .system("it has answered what this version of opool does not understand")
    }
  }
}
