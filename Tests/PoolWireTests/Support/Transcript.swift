import PoolWire

/// One conversation, as `Protocol/transcripts` has it.
struct Transcript {
  /// A line that is a message, and its number in the file.
  struct Line {
    var number: Int
    var body: [UInt8]
    var message: AnyMessage
  }

  var lines: [Line] = []
  /// All bytes that the worker sent, noise and magic line included.
  var workerStream: [UInt8] = []
  /// All bytes that the coordinator sent.
  var coordinatorStream: [UInt8] = []
  var noise: [UInt8] = []

  struct Malformed: Error {
    var line: Int
  }

  init(_ text: String) throws {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, row) in rows.enumerated() where !row.isEmpty && !row.hasPrefix("#") {
      try read(row, number: index + 1)
    }
  }

  private mutating func read(_ row: Substring, number: Int) throws {
    let content = Array(row.dropFirst(2).utf8) + Array("\n".utf8)
    switch row.prefix(2) {
    case "~", "~ ":
      noise += content
      workerStream += content
    case "< " where content == Frame.magic:
      workerStream += content
    case "< ":
      workerStream += frame(around: content)
      try add(.worker(WorkerMessage(bytes: content)), content, number)
    case "> ":
      coordinatorStream += frame(around: content)
      try add(.coordinator(CoordinatorMessage(bytes: content)), content, number)
    default:
      throw Malformed(line: number)
    }
  }

  private mutating func add(_ message: AnyMessage, _ body: [UInt8], _ number: Int) {
    lines.append(Line(number: number, body: body, message: message))
  }
}
