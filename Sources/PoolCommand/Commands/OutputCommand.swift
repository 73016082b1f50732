import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolWire

/// `opool output`: what an operation has written so far, or in all.
struct OutputCommand {
  /// Nanoseconds between two questions of `--follow`.
  private static let period = Int64.milliseconds(100)

  private let id: [UInt8]
  private let options: AskOptions
  private let finder = RunFinder()
  /// Number of bytes of the output and of the error output that were printed.
  private var position: (output: Int64, error: Int64) = (0, 0)
  /// When the attempt began whose output is printed.
  private var start: Instant?
  /// What was said already.
  private var remarks: Set<String> = []

  private init(_ id: [UInt8], _ options: AskOptions) {
    (self.id, self.options) = (id, options)
  }

  static func run(_ id: [UInt8], _ options: AskOptions) -> ExitCode {
    do throws(RunFailure) {
      var command = Self(id, options)
      if let file = options.file {
        return try command.show(try KeptOutputSearch.find(id, at: file))
      }
      return try command.follow(try command.finder.run(of: options.process))
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  /// Asks until everything is printed, or with `--follow` until the operation has ended.
  private mutating func follow(_ run: RunFinder.Run) throws(RunFailure) -> ExitCode {
    while true {
      guard let answer = try finder.ask(run, question) else {
        throw RunFailure(.usage, "the run of process \(run.name.process) has ended")
      }
      guard answer.isAnswer else {
        throw RunFailure(.usage, String(decoding: RunText.safe(answer).dropLast(), as: UTF8.self))
      }
      let reply = try Self.reply(answer.text)
      noteStart(reply.start)
      let (count, failure) = write(reply.written, answer.text)
      if let failure { return failure }
      if count > 0 { continue }
      if let code = try finish(reply) { return code }
      MonotonicClock.sleep(nanoseconds: Self.period)
    }
  }

  private var question: RunQuestion {
    let question = RunQuestion.OutputQuestion(
      id: id,
      output: position.output,
      error: position.error,
      isFollowing: options.isFollowing
    )
    return RunQuestion(.output(question), wantsJSON: options.printsJSON)
  }

  private static func reply(_ text: [UInt8]) throws(RunFailure) -> OutputReply {
    do throws(JSONError) {
      return try OutputReply(text)
    } catch {
      throw RunFailure(.usage, "the run has answered what this version of opool does not know")
    }
  }

  /// Another attempt begins with its own output.
  private mutating func noteStart(_ start: Instant?) {
    guard let start else { return }
    if let known = self.start, known != start {
      remark("it is tried again")
      position = (0, 0)
      remarks = []
    }
    self.start = start
  }

  /// Prints what is new; returns the number of bytes.
  private mutating func write(
    _ written: WrittenOutputs?,
    _ line: [UInt8]
  ) -> (count: Int, ExitCode?) {
    guard let written else { return (0, nil) }
    let pieces = [(written.output, position.output), (written.error, position.error)]
    let gap = pieces.reduce(0) { $0 + $1.0.end - Int64($1.0.bytes.count) - $1.1 }
    if gap > 0 { remark("\(gap) bytes went to the streams of the run as they came: not here") }
    position = (written.output.end, written.error.end)
    let count = written.output.bytes.count + written.error.bytes.count
    guard count > 0 else { return (0, nil) }
    if options.printsJSON { return (count, StandardOutput.write(line)) }
    return (count, Self.print(written.output.bytes, written.error.bytes))
  }

  /// Writes each output to its own stream.
  private static func print(_ output: [UInt8], _ error: [UInt8]) -> ExitCode? {
    if !error.isEmpty { try? SystemIO.writeAll(2, error) }
    return output.isEmpty ? nil : StandardOutput.write(output)
  }

  /// The exit code, if nothing more is to come.
  private mutating func finish(_ reply: OutputReply) throws(RunFailure) -> ExitCode? {
    switch reply.state {
    case .waiting:
      remark("it has not begun")
      return options.isFollowing ? nil : .success
    case .executing:
      if let reason = reply.reason { remark(reason) }
      return options.isFollowing ? nil : .success
    case .ended:
      if reply.written != nil { return .success }
      switch reply.place {
      case .folder(let path): return try show(KeptOutputSearch.read(folder: path))
      case .file(let path): return try show(try KeptOutputSearch.find(id, at: path))
      case nil:
        let why = reply.reason ?? "its output is not kept"
        throw RunFailure(.usage, "\(Printable.name(id)) has ended, and \(why)")
      }
    }
  }

  /// Prints what was kept, behind what was printed before.
  private mutating func show(_ found: KeptOutputSearch.Found?) throws(RunFailure) -> ExitCode {
    guard let found else {
      throw RunFailure(.usage, "\(Printable.name(id)): its output is not in the folder of results")
    }
    let output = Array(found.output.dropFirst(Int(clamping: position.output)))
    let error = Array(found.error.dropFirst(Int(clamping: position.error)))
    if let text = found.remark { remark(text) }
    guard options.printsJSON else { return Self.print(output, error) ?? .success }
    let written = WrittenOutputs(
      output: WrittenPiece(output, end: Int64(found.output.count)),
      error: WrittenPiece(error, end: Int64(found.error.count))
    )
    return StandardOutput.write(OutputReply(.ended, written: written).line(of: id)) ?? .success
  }

  /// Says something once, beside the output.
  private mutating func remark(_ text: String) {
    guard remarks.insert(text).inserted else { return }
    CurrentProcess.complain("opool: \(Printable.name(id)): \(Printable.text(text))")
  }
}
