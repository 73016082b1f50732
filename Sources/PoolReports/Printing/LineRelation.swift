/// What a stream has to do with the terminal that the progress line is on.
enum LineRelation {
  /// What is written to the stream comes to stand where the line is.
  case sameTerminal
  /// It may come to stand there: the stream is a terminal by another name.
  case anotherTerminal
  /// It may come to stand there later: the pipe's reader may write to the terminal.
  case pipe
  /// It never comes to stand there.
  case apart

  /// Decides from the stream's kind; `hasLine` says that the line is drawn on the same descriptor,
  /// or on one that leads to the same place.
  init(hasLine: Bool, isTerminal: Bool, isPipe: Bool) {
    if hasLine {
      self = .sameTerminal
    } else if isTerminal {
      self = .anotherTerminal
    } else {
      self = isPipe ? .pipe : .apart
    }
  }
}
