package import PoolEvents
package import PoolInputs
import PoolModel
import PoolText

/// Tells people what happens: of each attempt that others follow, and of starts and ends where they
/// want it.
package final class VerboseReader: RunReader {
  private let workload: any Workload
  private let messages: RunMessages
  private let isVerbose: Bool
  private var retryCount = 0

  package init(_ workload: any Workload, _ messages: RunMessages, isVerbose: Bool) {
    (self.workload, self.messages, self.isVerbose) = (workload, messages, isVerbose)
  }

  package var kinds: RunRecord.Kinds {
    isVerbose ? [.started, .retryPlanned, .settled] : .retryPlanned
  }

  package func take(_ record: RunRecord) {
    switch record {
    case .started(let start): tell(start)
    case .retryPlanned(let retry): tell(retry)
    case .settled(let end, _): tell(end)
    default: break
    }
  }

  private func tell(_ start: AttemptStarted) {
    let again = start.attempt > 1 ? ", attempt \(start.attempt)" : ""
    let command =
      workload.command(of: start.number).map { ": " + MessageExcerpt.command($0) } ?? ""
    messages.say("\(label(start.number)): executing on worker \(start.worker)\(again)\(command)")
  }

  /// Only the first retries get a line, unless lines of the attempt were printed: what follows does
  /// not continue them.
  private func tell(_ retry: RetryPlanned) {
    retryCount += 1
    guard retryCount <= Summary.limit || retry.hasPrinted || isVerbose else { return }
    let input = workload.input(of: retry.number).map { " (\(MessageExcerpt.input($0)))" } ?? ""
    messages.say(
      "\(label(retry.number))\(input): attempt \(retry.attempt): \(retry.reason); trying again"
    )
  }

  private func tell(_ end: EndRecord) {
    let root = end.root.map { " because of " + Printable.name(workload.id(ofMember: $0.number)) }
    let group = end.memberCount == nil ? "" : "group "
    let label =
      end.memberCount == nil ? label(end.number) : Printable.name(workload.id(ofMember: end.number))
    messages.say("\(group)\(label): \(end.ending.name)\(root ?? "")")
  }

  private func label(_ number: Int) -> String { Printable.name(workload.title(of: number)) }
}
