import PoolAnalysis
import PoolEvents
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

// What a run answers to other processes; called on the thread of its door.

extension RunSession {
  /// Lets other processes ask the run; without a socket it goes on.
  func openDoor() {
    do throws(SystemFailure) {
      let made = try RunDoor(
        in: RuntimeFolder(named: "opool", in: .current),
        of: CurrentProcess.identifier,
        from: identity.start
      ) { [unowned self] in answer($0, from: $1) }
      door.withLock { $0 = made }
    } catch {
      say("no process can ask this run anything: \(error.reason)", verbose: true)
    }
  }

  func answer(_ question: RunQuestion, from peer: LocalPeer) -> RunAnswer {
    switch question.subject {
    case .output(let question): return outputAnswer(question)
    case .cancel, .scale, .pause, .unpause, .again: return steer(question, from: peer)
    case .summary:
      let report = statusReport
      return RunAnswer(question.wantsJSON ? report.json : report.summary)
    case .status:
      let report = statusReport
      return RunAnswer(question.wantsJSON ? report.json : report.page)
    case .explanation(let id):
      guard let number = number(of: id) else {
        let text = "no operation is called '\(Printable.name(id))'\n"
        return RunAnswer(Array(text.utf8), isAnswer: false)
      }
      let explanation = Explanation(id, NumberedOperation(number, of: self).standing)
      if question.wantsJSON { return RunAnswer(explanation.json) }
      return RunAnswer(Array((explanation.lines.joined(separator: "\n") + "\n").utf8))
    }
  }

  /// The number of an operation, or of a group.
  func number(of id: [UInt8]) -> Int? {
    let count = workload.count
    if let number = (0..<count).first(where: { workload.id(of: $0) == id }) {
      return recorder.knows(number) ? number : nil
    }
    return (0..<workload.groupCount).first { workload.groupName($0) == id }.map { count + $0 }
  }
}
