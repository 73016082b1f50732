import PoolConformance
import PoolInputs
import PoolModel
import PoolSystem
import PoolWire

/// `opool check-worker`: whether a worker keeps to the protocol.
enum CheckWorkerCommand {
  static func run(_ options: CheckWorkerOptions) -> ExitCode {
    // A worker may end while something is written to it.
    ProcessSignal.pipe.ignore()
    do throws(RunFailure) {
      let cases = try cases(options)
      var run = ConformanceRun(
        cases,
        kind: options.kind,
        works: options.works,
        within: options.limit
      )
      if let code = try perform(&run, options) { return code }
      return run.results.contains(where: \.hasFailed) ? .operationsFailed : .success
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  private static func cases(_ options: CheckWorkerOptions) throws(RunFailure) -> [ConformanceCase] {
    let own = try options.folder.map { folder throws(RunFailure) in
      try CaseFolder(folder).cases()
    }
    do throws(CaseError) {
      let standard = try StandardCases.all()
      guard let own else { return standard }
      // Without it, nothing is known of the worker.
      let hello = standard.filter { $0.name == ConformanceRun.firstName }
      return own.contains { $0.name == ConformanceRun.firstName } ? own : hello + own
    } catch {
      preconditionFailure("the standard cases are well-formed: \(error)")
    }
  }

  /// Performs all cases, and prints their results; returns the exit code of a failure to print.
  private static func perform(
    _ run: inout ConformanceRun,
    _ options: CheckWorkerOptions
  ) throws(RunFailure) -> ExitCode? {
    var printer = ResultPrinter()
    let interruption = try interruption()
    var code = printer.begin(run)
    while code == nil, let next = run.next() {
      var conversation = next
      let worker: CheckedWorker
      do throws(RunFailure) {
        worker = try CheckedWorker(options.command, interruption)
      } catch {
        _ = printer.bailOut(error.message)
        throw error
      }
      worker.hold(&conversation, settling: options.limit)
      if let code = interruption.exitCode { return printer.bailOut("interrupted") ?? code }
      run.ended(conversation)
      if let kind = run.unservedKind { throw unserved(kind, run, printer) }
      code = printer.print(run)
    }
    return code ?? printer.end(run)
  }

  private static func interruption() throws(RunFailure) -> Interruption {
    do throws(SystemFailure) {
      return try Interruption()
    } catch {
      throw RunFailure(.workers, "signals cannot be caught: \(error)")
    }
  }

  private static func unserved(
    _ kind: String,
    _ run: ConformanceRun,
    _ printer: ResultPrinter
  ) -> RunFailure {
    let kinds = run.hello?.kinds.map { "'\($0)'" }.joined(separator: ", ") ?? ""
    let message = "the worker does not serve the kind '\(kind)', but \(kinds)"
    _ = printer.bailOut(message)
    return RunFailure(.usage, message)
  }
}

/// Prints results as they come.
private struct ResultPrinter {
  private var count = 0

  mutating func begin(_ run: ConformanceRun) -> ExitCode? {
    write(TAPReport.header(count: run.count))
  }

  /// Prints the results that were not printed before.
  mutating func print(_ run: ConformanceRun) -> ExitCode? {
    var text = ""
    for result in run.results[count...] {
      count += 1
      text += TAPReport.lines(result, number: count)
    }
    return text.isEmpty ? nil : write(text)
  }

  mutating func end(_ run: ConformanceRun) -> ExitCode? {
    if let code = print(run) { return code }
    return write(ProfileReport(run.results, offering: run.hello?.capabilities ?? []).text)
  }

  func bailOut(_ reason: String) -> ExitCode? { write(TAPReport.bailOut(reason)) }

  private func write(_ text: String) -> ExitCode? { StandardOutput.write(Array(text.utf8)) }
}
