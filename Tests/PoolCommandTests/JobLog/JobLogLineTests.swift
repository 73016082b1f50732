import PoolEvents
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: a line is what GNU parallel 20221122 writes, and says 0 and 0 only of a success.
@Suite("A line of the job log")
struct JobLogLineTests {
  private func text(
    start: Int64 = 1_795_478_109_409_000_000,
    duration: Int64 = 103_400_000,
    status: EndRecord = EndRecord(number: 0, ending: .succeeded),
    command: String = "echo a"
  ) -> String {
    var text: [UInt8] = []
    JobLogLine(
      sequence: 12,
      start: start,
      duration: duration,
      sentCount: 6,
      receivedCount: 7,
      status: JobLogStatus(status),
      command: bytes(command)
    ).append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  @Test("Its columns have the widths and decimals of GNU parallel")
  func columns() {
    #expect(text() == "12\t:\t1795478109.409\t     0.103\t6\t7\t0\t0\techo a\n")
    #expect(
      text(start: 1_000_999_500_000, duration: 12_345_678_000_000_000)
        == "12\t:\t1001.000\t12345678.000\t6\t7\t0\t0\techo a\n"
    )
    #expect(
      text(start: 1_007_000_000, duration: 499_999)
        == "12\t:\t1.007\t     0.000\t6\t7\t0\t0\techo a\n"
    )
    #expect(text(start: 0, duration: -1) == "12\t:\t0.000\t     0.000\t6\t7\t0\t0\techo a\n")
  }

  @Test("A line feed in the command is a NUL, and a tab stays")
  func control() {
    #expect(text(command: "a\n\tb\n").hasSuffix("\t0\t0\ta\0\tb\0\n"))
  }

  @Test("Each outcome has its code and its signal")
  func statuses() {
    func status(_ outcome: PoolEnding, _ cause: PoolFailureCause?, _ exit: Int32?, _ signal: Int32?)
      -> [Int32]
    {
      let record = EndRecord(
        number: 0,
        ending: outcome,
        cause: cause,
        exit: exit,
        signal: signal
      )
      let status = JobLogStatus(record)
      return [status.exit, status.signal]
    }
    #expect(status(.succeeded, nil, 0, nil) == [0, 0])
    #expect(status(.succeeded, nil, nil, nil) == [0, 0])
    #expect(status(.failed, .exit, 3, nil) == [3, 0])
    #expect(status(.failed, .signal, nil, 9) == [0, 9])
    #expect(status(.failed, .spawn, nil, nil) == [127, 0])
    #expect(status(.failed, .error, nil, nil) == [1, 0])
    #expect(status(.failed, .error, 0, nil) == [1, 0])
    #expect(status(.timedOut, .timeout, nil, 15) == [-1, 15])
    #expect(status(.timedOut, .timeout, 0, nil) == [-1, 0])
    #expect(status(.lost, .workerDied, nil, nil) == [-1, 0])
    #expect(status(.cancelled, .cancelled, nil, nil) == [-1, 0])
  }

  @Test("No outcome but success has the columns 0 and 0", arguments: PoolEnding.allCases)
  func success(outcome: PoolEnding) {
    for exit: Int32? in [nil, 0, 5] {
      for signal: Int32? in [nil, 9] where exit == nil || signal == nil {
        let record = EndRecord(number: 0, ending: outcome, exit: exit, signal: signal)
        let status = JobLogStatus(record)
        let isZero = status.exit == 0 && status.signal == 0
        #expect(outcome == .succeeded || !isZero, "\(exit ?? -2) \(signal ?? -2)")
      }
    }
  }
}
