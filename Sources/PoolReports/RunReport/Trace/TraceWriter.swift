import PoolModel
import PoolSystem
import PoolWire

/// A thread of a trace, by the numbers of its process and its own.
struct TraceTrack: Hashable {
  var process: Int
  var thread: Int

  /// The process of what belongs to no slot.
  static let run = 1
  /// The chain that decided how long a run took.
  static let chain = TraceTrack(process: run, thread: firstThread - 1)

  /// The first slot of each process: programs that read traces take a thread with the number of its
  /// process for the main one, and show that first.
  static let firstThread = 101

  /// The process of a place of workers.
  static func process(ofPlace place: Int) -> Int { place + 2 }
}

/// Times of a trace.
enum TraceTime {
  /// Whole microseconds of a run, none of them before its beginning.
  static func micro(_ time: Instant) -> Int { Int(max(time.nanoseconds, 0) / 1_000) }
}

/// Writes the events of a trace, one in each line, in pieces.
struct TraceWriter {
  private var text: [UInt8] = []
  private var line = JSONWriter()
  private var isFirst = true
  private let take: ([UInt8]) throws(SystemFailure) -> Void

  /// Bytes that are gathered before they are passed on.
  private static let pieceSize = 1 << 20
  /// Bytes of a name that are shown.
  private static let nameLimit = 200

  init(_ take: @escaping ([UInt8]) throws(SystemFailure) -> Void) {
    self.take = take
    line.omitsNulls = true
  }

  // MARK: The file

  /// Begins the file; the closure writes what describes the whole trace.
  mutating func begin(_ describe: (inout JSONWriter) -> Void) throws(SystemFailure) {
    line.beginObject()
    line.field("displayTimeUnit", "ms")
    line.key("otherData")
    line.beginObject()
    describe(&line)
    line.endObject()
    line.key("traceEvents")
    line.beginArray()
    takeLine()
  }

  /// Ends the file.
  mutating func end() throws(SystemFailure) {
    text += "\n]}\n".utf8
    try take(text)
    text = []
  }

  // MARK: Events

  /// Names a process; processes are shown in the order of their numbers.
  mutating func name(process: Int, _ name: String) throws(SystemFailure) {
    let track = TraceTrack(process: process, thread: 0)
    try describe(track, "process_name") {
      $0.key("name")
      $0.visible(Array(name.utf8), limit: Self.nameLimit)
    }
    try describe(track, "process_sort_index") { $0.field("sort_index", process) }
  }

  /// Names a thread, and says which place it has in its process.
  mutating func name(_ track: TraceTrack, _ name: String, place: Int) throws(SystemFailure) {
    try describe(track, "thread_name") {
      $0.key("name")
      $0.visible(Array(name.utf8), limit: Self.nameLimit)
    }
    try describe(track, "thread_sort_index") { $0.field("sort_index", place) }
  }

  /// Something that lasts.
  mutating func slice(
    _ name: [UInt8],
    _ category: [UInt8],
    on track: TraceTrack,
    from start: Int,
    to end: Int,
    colour: StaticString? = nil,
    _ arguments: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    begin("X", track, at: start)
    line.field("dur", end - start)
    line.key("name")
    line.visible(name, limit: Self.nameLimit)
    line.key("cat")
    line.visible(category, limit: Self.nameLimit)
    if let colour { line.field("cname", colour) }
    try finish(arguments)
  }

  /// Something that lasts, with a name of our own.
  mutating func slice(
    _ name: String,
    _ category: String,
    on track: TraceTrack,
    from start: Int,
    to end: Int,
    _ arguments: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    try slice(Array(name.utf8), Array(category.utf8), on: track, from: start, to: end, arguments)
  }

  /// Something that happened on a thread.
  mutating func instant(
    _ name: String,
    on track: TraceTrack,
    at time: Int,
    _ arguments: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    begin("i", track, at: time)
    line.field("s", "t")
    line.key("name")
    line.visible(Array(name.utf8))
    line.field("cat", "worker")
    try finish(arguments)
  }

  /// The values of counters from a moment on.
  mutating func counter(
    _ name: StaticString,
    at time: Int,
    _ values: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    line.beginObject()
    line.field("ph", "C")
    line.field("pid", TraceTrack.run)
    line.field("ts", time)
    line.field("name", name)
    try finish(values)
  }

  private mutating func describe(
    _ track: TraceTrack,
    _ name: StaticString,
    _ arguments: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    line.beginObject()
    line.field("ph", "M")
    line.field("pid", track.process)
    line.field("tid", track.thread)
    line.field("name", name)
    try finish(arguments)
  }

  private mutating func begin(_ phase: StaticString, _ track: TraceTrack, at time: Int) {
    line.beginObject()
    line.field("ph", phase)
    line.field("pid", track.process)
    line.field("tid", track.thread)
    line.field("ts", time)
  }

  private mutating func finish(
    _ arguments: (inout JSONWriter) -> Void
  ) throws(SystemFailure) {
    line.key("args")
    line.beginObject()
    arguments(&line)
    line.endObject()
    line.endObject()
    text += isFirst ? "\n".utf8 : ",\n".utf8
    isFirst = false
    takeLine()
    guard text.count >= Self.pieceSize else { return }
    try take(text)
    text.removeAll(keepingCapacity: true)
  }

  private mutating func takeLine() {
    text += line.bytes
    line.removeAll()
  }
}

extension JSONWriter {
  /// Writes bytes from outside as a string: one line of visible characters.
  mutating func visible(_ content: [UInt8], limit: Int = .max) {
    string(VisibleText.of(content, limit: limit))
  }
}
