import PoolModel
import PoolWire

/// Why no worker executes an operation, in a sentence that says what to do.
struct WorkerAbsence {
  /// What is known of the workers of one worker configuration.
  struct Workers {
    /// Whether they are processes of the running program.
    var areThisExecutable = false
    /// What they serve; nil where none has said so.
    var served: Set<String>?
    /// How the last of them ended.
    var death: PoolWorkerDeath?
  }

  /// The operation's kind.
  var kind: String
  /// The configurations of its fleet, without those of this process.
  var workers: [Workers]

  /// Maximum number of kinds that are named, and of bytes that are quoted.
  private static let (kindLimit, quoteLimit) = (8, 200)

  /// The workers that serve the kind, or may, ended again and again.
  var ofBrokenWorkers: String {
    let sentence = "no worker that serves '\(kind)' could be kept alive"
    let broken = workers.last { $0.death != nil && $0.served?.contains(kind) != false }
    guard let broken, let death = broken.death else { return sentence }
    return "\(sentence): \(death)\(quote(death))" + (hint(to: broken).map { "; \($0)" } ?? "")
  }

  /// All workers have said what they serve.
  var ofUnservedKind: String {
    let sentence = "no worker serves its kind '\(kind)'"
    if kind == CommandPayload.kind {
      return "\(sentence): 'opool-worker' does, which '.standard()' adds to a queue's workers"
    }
    guard !workers.isEmpty else { return "\(sentence): its fleet executes only blocks" }
    let served = workers.reduce(into: Set()) { $0.formUnion($1.served ?? []) }.sorted()
    let remedy =
      workers.contains { $0.areThisExecutable }
      ? "; is it in the list for 'PoolWorker.serveIfSpawned'?" : ""
    guard !served.isEmpty else { return "\(sentence): its workers serve none\(remedy)" }
    let names = served.prefix(Self.kindLimit).map { "'\($0)'" }.joined(separator: ", ")
    let rest = served.count - Self.kindLimit
    let more = rest > 0 ? " and \(rest) more" : ""
    return "\(sentence): its workers serve \(names)\(more)\(remedy)"
  }

  /// The end of what it wrote, where nothing else says why it ended.
  private func quote(_ death: PoolWorkerDeath) -> String {
    guard death.headline == nil, death.spawnFailure == nil else { return "" }
    let text = String(decoding: death.errorTail.suffix(Self.quoteLimit), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last ?? ""
    return line.isEmpty ? "" : ", after it wrote “\(line)”"
  }

  /// What the user has likely forgotten.
  private func hint(to workers: Workers) -> String? {
    guard workers.areThisExecutable, workers.served == nil, workers.death?.spawnFailure == nil
    else { return nil }
    return "does its 'main' call 'PoolWorker.serveIfSpawned' before anything else?"
  }
}
