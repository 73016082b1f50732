import PoolModel
import PoolWire

/// Explains in a sentence why no worker executes an operation, and what to do.
struct WorkerAbsence {
  /// The state of the workers of one worker configuration.
  struct Workers {
    /// Whether they execute the running program.
    var areThisExecutable = false
    /// The kinds that they serve; nil if no worker has announced them.
    var served: Set<String>?
    /// What their machines have.
    var features: Set<String> = []
    /// Whether they were withdrawn.
    var areWithdrawn = false
    /// The end of the latest of them.
    var death: PoolWorkerDeath?
    /// What gives them more time to greet.
    var greetingAdvice = ""
  }

  /// The operation's kind.
  var kind: String
  /// The configurations of its fleet, without those of block workers.
  var workers: [Workers]

  /// Maximum number of kinds named, and of bytes quoted.
  private static let (kindLimit, quoteLimit) = (8, 200)

  /// The workers that serve the kind, or may serve it, died again and again, or were withdrawn.
  var ofBrokenWorkers: String {
    let servers = workers.filter { $0.served?.contains(kind) != false }
    if !servers.isEmpty, servers.allSatisfy(\.areWithdrawn) {
      return "the workers that serve '\(kind)' were withdrawn"
    }
    let sentence = "no worker that serves '\(kind)' could be kept alive"
    let broken = servers.last { $0.death != nil && !$0.areWithdrawn }
    guard let broken, let death = broken.death else { return sentence }
    return "\(sentence): \(death)\(quote(death))" + (hint(to: broken).map { "; \($0)" } ?? "")
  }

  /// All workers have announced their kinds, and this one is not among them.
  var ofUnservedKind: String {
    if workers.contains(where: { $0.served?.contains(kind) == true }) { return ofLackingFeatures }
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

  /// Workers serve the kind, but not where the operation's constraint is met.
  private var ofLackingFeatures: String {
    let sentence = "no worker that serves '\(kind)' has the features of its constraint"
    let features = workers.reduce(into: Set()) { $0.formUnion($1.features) }.sorted()
    guard !features.isEmpty else { return "\(sentence), or any other" }
    let names = features.prefix(Self.kindLimit).map { "'\($0)'" }.joined(separator: ", ")
    let rest = features.count - Self.kindLimit
    return "\(sentence); all features are \(names)" + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The end of its standard error, if nothing else says why it ended.
  private func quote(_ death: PoolWorkerDeath) -> String {
    guard death.headline == nil, death.spawnFailure == nil else { return "" }
    let text = String(decoding: death.errorTail.suffix(Self.quoteLimit), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last ?? ""
    return line.isEmpty ? "" : ", after it wrote “\(line)”"
  }

  /// A mistake that the user has probably made.
  private func hint(to workers: Workers) -> String? {
    guard workers.served == nil, workers.death?.spawnFailure == nil else { return nil }
    let isSlow = workers.death?.manner == .neverGreeted
    guard workers.areThisExecutable else { return isSlow ? workers.greetingAdvice : nil }
    return "does its 'main' call 'PoolWorker.serveIfSpawned' before anything else?"
      + (isSlow ? " If it needs longer, \(workers.greetingAdvice)" : "")
  }
}
