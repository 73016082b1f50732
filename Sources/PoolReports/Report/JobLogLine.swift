import PoolEvents
import PoolModel

/// A line of the job log, byte for byte in the format of GNU parallel 20221122.
struct JobLogLine {
  /// The first line of the file, with its line feed.
  static let header = Array(
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n".utf8
  )

  /// The number of the operation, from 1.
  var sequence: Int
  /// Nanoseconds from 1970 to the start of the execution.
  var start: Int64
  /// Nanoseconds of the execution.
  var duration: Int64
  /// Number of bytes of the standard input that opool gave.
  var sentCount: Int64
  /// Number of bytes of the standard output.
  var receivedCount: Int64
  var status: JobLogStatus
  /// As a shell would read it.
  var command: [UInt8]

  /// Appends the line.
  ///
  /// A line feed in the command becomes a NUL, as in GNU parallel, whose `--retry-failed` turns it
  /// back.
  func append(to text: inout [UInt8]) {
    let runtime = Self.seconds(duration)
    let padding = String(repeating: " ", count: max(10 - runtime.utf8.count, 0))
    text += Array(
      """
      \(sequence)\t:\t\(Self.seconds(start))\t\(padding)\(runtime)\t\(sentCount)\t\
      \(receivedCount)\t\(status.exit)\t\(status.signal)\t
      """.utf8
    )
    for byte in command { text.append(byte == UInt8(ascii: "\n") ? 0 : byte) }
    text.append(UInt8(ascii: "\n"))
  }

  /// Seconds with three decimals.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let (seconds, rest) = (max(nanoseconds, 0).saturatingSum(500_000) / 1_000_000)
      .quotientAndRemainder(dividingBy: 1_000)
    let decimals = String(rest)
    return "\(seconds)." + String(repeating: "0", count: 3 - decimals.utf8.count) + decimals
  }
}

/// The columns `Exitval` and `Signal`.
struct JobLogStatus: Hashable {
  var exit: Int32
  var signal: Int32

  /// What GNU parallel writes for a job that it ended itself.
  private static let ended: Int32 = -1
  /// The exit code of a shell that finds no program.
  private static let notFound: Int32 = 127

  /// The status of an operation; both columns are 0 only after success.
  init(_ ending: PoolEnding, cause: PoolFailureCause?, exit code: Int32?, signal number: Int32?) {
    signal = number ?? 0
    switch ending {
    case .succeeded: exit = 0
    case .timedOut, .cancelled, .lost, .skipped: exit = Self.ended
    case .failed:
      if cause == .spawn {
        exit = Self.notFound
      } else {
        exit = code ?? 0
        if exit == 0, signal == 0 { exit = 1 }
      }
    }
  }

  init(_ record: EndRecord) {
    self.init(record.ending, cause: record.cause, exit: record.exit, signal: record.signal)
  }
}
