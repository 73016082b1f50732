import PoolAnalysis
import PoolModel

/// A logarithmic axis for the durations of all attempts, in a few steps.
struct DurationScale {
  /// The binary logarithm of the shortest and of the longest duration, in steps of an eighth.
  private let least: Int
  private let greatest: Int

  private static let steps = 24

  init(_ history: RunHistory) {
    var (least, greatest) = (Int.max, 0)
    for place in history.operations.indices {
      guard let time = history.operations[place].attempts.last?.duration, time > 0 else { continue }
      let eighths = Self.eighths(time)
      (least, greatest) = (min(least, eighths), max(greatest, eighths))
    }
    (self.least, self.greatest) = (min(least, greatest), greatest)
  }

  var description: String {
    let (from, to) = (Self.time(least), Self.time(greatest + 1))
    let ends = "from \(ReportWording.duration(from)) to \(ReportWording.duration(to))"
    return "Durations are those of last attempts, on a logarithmic axis \(ends)."
  }

  /// Number of operations in each step.
  func counts(of members: [Int], in history: RunHistory) -> [Int] {
    var counts = [Int](repeating: 0, count: Self.steps)
    for member in members {
      guard let time = history.operations[member].attempts.last?.duration, time > 0 else {
        continue
      }
      let step = (Self.eighths(time) - least) * Self.steps / (greatest - least + 1)
      counts[min(max(step, 0), Self.steps - 1)] += 1
    }
    return counts
  }

  /// Appends the counts as columns of a small picture.
  static func append(_ counts: [Int], to writer: inout PageWriter) {
    let most = Double(max(counts.max() ?? 0, 1))
    writer.markup("<svg class=\"bar tall\" viewBox=\"0 0 96 20\" preserveAspectRatio=\"none\"")
    writer.markup(" aria-hidden=\"true\"><path class=\"f-succeeded\" d=\"")
    for (step, count) in counts.enumerated() where count > 0 {
      writer.markup("M")
      writer.text(step * 4)
      writer.markup(" 20v")
      writer.coordinate(-max(Double(count) / most * 20, 1))
      writer.markup("h3.4V20z")
    }
    writer.markup("\"/></svg>")
  }

  /// Eight times the binary logarithm; the eighths between two powers are of equal length.
  private static func eighths(_ time: Int64) -> Int {
    let exponent = Int64.bitWidth - 1 - time.leadingZeroBitCount
    let fraction = exponent >= 3 ? time >> Int64(exponent - 3) : time << Int64(3 - exponent)
    return exponent * 8 + Int(fraction & 7)
  }

  private static func time(_ eighths: Int) -> Int64 {
    guard eighths > 0 else { return 0 }
    let (exponent, fraction) = (eighths / 8, Int64(eighths % 8) + 8)
    return exponent >= 3 ? fraction << Int64(exponent - 3) : fraction >> Int64(3 - exponent)
  }
}
