/// How the kind "say" of the tests' worker prints.
public enum PrintDeed: Codable, Sendable {
  /// By `print`, without a line feed.
  case print(String)
  /// By a system call.
  case write(String)
  /// So many lines, by `print`.
  case lines(Int)
  /// A line of so many bytes.
  case longLine(Int)
  /// Bytes that may be no text.
  case bytes([UInt8])
  /// By a child that is left behind and prints what it reads from a file.
  case leave(String)
  /// Waits until it is asked to stop.
  case wait
  case fatal(String)
  case kill
}
