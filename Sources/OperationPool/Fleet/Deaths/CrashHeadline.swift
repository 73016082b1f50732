import PoolModel

/// Finds the line in which a crashed program says why it crashed.
///
/// Runtimes, assertions and sanitizers write such a line to the standard error, among backtraces,
/// registers and the program's own text.
enum CrashHeadline {
  /// The longest headline, in bytes.
  static let limit = 512

  /// Words by which such a line is found.
  private static let marks = [
    // Swift's runtime: "Fatal error: Index out of range", and the like.
    "Fatal error", "Precondition failed", "Assertion failed", "Simultaneous accesses to",
    // C's `assert`; glibc's checks of the heap and the stack.
    "Assertion `", "free(): ", "malloc(): ", "malloc_consolidate(): ", "realloc(): ",
    "munmap_chunk(): ", "double free or corruption", "corrupted size vs. prev_size",
    "*** stack smashing detected ***", "*** buffer overflow detected ***",
    // C++, Objective-C, Rust and Go.
    "terminate called after throwing", "terminating due to uncaught exception", "panicked at",
    "panic: ", "fatal error: ",
    // Sanitizers.
    "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "ERROR: MemorySanitizer",
    "ERROR: UndefinedBehaviorSanitizer", "WARNING: ThreadSanitizer", "runtime error: ",
    "Fatal Python error",
  ].map { Array($0.utf8) }

  /// The line that begins a Python traceback, in which only the exception itself is not indented.
  private static let traceback = Array("Traceback (most recent call last):".utf8)

  /// The line of Swift's backtracer, for a crash without another line.
  private static let crashed = Array("Program crashed: ".utf8)

  /// What Swift's runtime prints before it looks for the backtrace.
  private static let backtracing = Array(": Backtracing from 0x".utf8)

  /// Whether the text has the words with which Swift's runtime begins a backtrace, or the end of
  /// them after `earlier`, the bytes before the text.
  static func beginsBacktrace(
    _ text: some Collection<UInt8>,
    after earlier: [UInt8] = []
  ) -> Bool {
    let seam = earlier.suffix(backtracing.count - 1) + text.prefix(backtracing.count - 1)
    return text.contains(backtracing) || seam.contains(backtracing)
  }

  /// The headline in a program's standard error; nil if no line is recognised.
  ///
  /// The first such line counts, because later ones may be its consequences.
  static func find(in text: [UInt8]) -> String? {
    let lines = text.split(separator: UInt8(ascii: "\n"))
    if let line = lines.first(where: { line in marks.contains { line.contains($0) } }) {
      return sentence(line)
    }
    if let start = lines.lastIndex(where: { $0.starts(with: traceback) }),
      let exception = lines[(start + 1)...].first(where: { $0.first != UInt8(ascii: " ") })
    {
      return sentence(exception)
    }
    guard let line = lines.first(where: { $0.contains(crashed) }) else { return nil }
    return sentence(line)
  }

  /// The line without prefixes and decoration.
  private static func sentence(_ line: ArraySlice<UInt8>) -> String {
    let text = String(decoding: line.prefix(limit), as: UTF8.self)
    return String(
      text.drop { " *=".contains($0) }.reversed().drop { " *\r".contains($0) }.reversed()
    )
  }
}
