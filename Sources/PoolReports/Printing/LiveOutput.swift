/// The outputs of an executing operation that have arrived so far, on their way to the streams.
struct LiveOutput {
  /// One of the two outputs, cut at line ends.
  struct Stream {
    /// What each of its lines begins with.
    let tag: [UInt8]
    var text: LiveLines

    init(lineLimit: Int, tag: [UInt8]) {
      text = LiveLines(limit: lineLimit)
      self.tag = tag
    }
  }

  var output: Stream
  var error: Stream
  /// Whether something of it could not be written.
  var isDropped = false

  /// With a limit of 0, nothing waits for the end of its line.
  init(lineLimit: Int, tags: LineTags) {
    output = Stream(lineLimit: lineLimit, tag: tags.output)
    error = Stream(lineLimit: lineLimit, tag: tags.error)
  }

  subscript(stream: OutputStreams.Stream) -> Stream {
    get { stream == .output ? output : error }
    set { if stream == .output { output = newValue } else { error = newValue } }
  }
}

/// A piece of an executing operation's output.
package struct LivePiece: Sendable {
  package var number: Int
  package var stream: OutputStreams.Stream
  package var bytes: [UInt8]
  /// The tag of its operation's lines.
  package var tag: [UInt8]?
}
