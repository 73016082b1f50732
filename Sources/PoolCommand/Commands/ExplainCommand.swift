import PoolAnalysis
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `opool explain`: what an operation waits for, or what it waited for and came to.
enum ExplainCommand {
  static func run(_ id: [UInt8], _ options: AskOptions) -> ExitCode {
    do throws(RunFailure) {
      guard let file = options.file else {
        return StandardOutput.write(try asked(id, options)) ?? .success
      }
      return StandardOutput.write(try recorded(id, in: file, options)) ?? .success
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  private static func asked(_ id: [UInt8], _ options: AskOptions) throws(RunFailure) -> [UInt8] {
    let finder = RunFinder()
    let run = try finder.run(of: options.process)
    let question = RunQuestion(.explanation(id), wantsJSON: options.printsJSON)
    guard let answer = try finder.ask(run, question) else {
      throw RunFailure(.usage, "the run of process \(run.name.process) has ended")
    }
    let text = RunText.safe(answer)
    guard answer.isAnswer else {
      throw RunFailure(.usage, String(decoding: text.dropLast(), as: UTF8.self))
    }
    return text
  }

  private static func recorded(
    _ id: [UInt8],
    in file: [UInt8],
    _ options: AskOptions
  ) throws(RunFailure) -> [UInt8] {
    let history = try RecordedRun.history(at: file)
    guard let place = history.operations.firstIndex(where: { $0.id == id }) else {
      let name = Printable.name(id)
      if let group = history.groups.first(where: { $0.id == id }) {
        return Array("\(name): a group: \(ReportWording.ending(group.ending))\n".utf8)
      }
      throw RunFailure(.usage, "\(Printable.text(file)): no operation is called '\(name)'")
    }
    let explanation = RecordedExplanation(of: place, in: history)
    if options.printsJSON { return explanation.json }
    return Array((explanation.lines.joined(separator: "\n") + "\n").utf8)
  }
}
