import PoolContents

/// Tells people, or a program, of a failure when it happens.
package struct FailureNotices: Sendable {
  /// The manifest that the lines name.
  private let manifest: [UInt8]?
  private let isJSON: Bool
  /// Whether the outputs of failed operations go elsewhere, so that a notice shows their end.
  private let showsEnd: Bool
  private let run: any ObservedRun
  private let say: @Sendable ([UInt8]) -> Void

  /// Hands each notice, with its line feed, to the closure.
  package init(
    manifest: [UInt8]?,
    isJSON: Bool,
    showsEnd: Bool,
    of run: any ObservedRun,
    _ say: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.manifest, self.isJSON) = (manifest, isJSON)
    (self.showsEnd, self.run, self.say) = (showsEnd, run, say)
  }

  /// Whether failures are told now: what fails while the run is ended is listed at its end, if at
  /// all.
  var isWanted: Bool { !run.isEnding }

  /// Tells of a failed operation, which has left these outputs.
  func tell(_ failure: Summary.Failure, _ outputs: OutputPair) {
    if isJSON { return say(failure.json) }
    var lines = [failure.text(manifest: manifest)]
    if showsEnd { lines += OutputEnd(of: outputs).lines(of: failure.title) }
    say(Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
