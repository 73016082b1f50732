/// The three pipes between this process and another one, or a thread: input, output and error.
///
/// They are close-on-exec from the beginning, unlike Foundation's `Pipe`: otherwise children that
/// the program forks by other means meanwhile would keep them open.
package final class StreamPipes {
  /// The other side's ends, which are closed with this object unless they are taken.
  package private(set) var theirs: [Int32] = []
  /// This side's ends, which do not block.
  private var ours: [Int32] = []

  package init() throws(SystemFailure) {
    // What was made is closed with this object, also if the rest cannot be made.
    for isInput in [true, false, false] {
      let ends = try Descriptors.pipe()
      theirs.append(isInput ? ends.read : ends.write)
      ours.append(isInput ? ends.write : ends.read)
    }
    for descriptor in ours { try Descriptors.setNonBlocking(descriptor) }
  }

  deinit {
    for descriptor in theirs + ours { Descriptors.close(descriptor) }
  }

  /// This side's ends, which the caller must close.
  package func takeOurs() -> [Int32] {
    defer { ours = [] }
    return ours
  }

  /// The other side's ends, which the caller must close; they do not block either.
  package func takeTheirs() throws(SystemFailure) -> [Int32] {
    for descriptor in theirs { try Descriptors.setNonBlocking(descriptor) }
    defer { theirs = [] }
    return theirs
  }
}
