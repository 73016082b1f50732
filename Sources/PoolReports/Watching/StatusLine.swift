import PoolModel
import PoolText

/// The first line of a live block: counts, times, and a bar.
struct StatusLine {
  private struct Part {
    var text: String
    var paint: PaintedLine.Paint = .plain
  }

  private static let gap = "  "
  /// The columns of the percentage behind the bar, with the gap between them.
  private static let percentWidth = 5
  private static let leastBar = 10
  private static let longestBar = 40

  private let run: WatchedRun
  private let style: LiveBlock.Style

  init(_ run: WatchedRun, _ style: LiveBlock.Style) {
    (self.run, self.style) = (run, style)
  }

  private var progress: ProgressSnapshot { run.progress }

  /// The line in at most that many columns: what comes last is left out first.
  func line(columns: Int, isIdle: Bool) -> PaintedLine {
    let count = "\(progress.finished)/\(progress.total)\(progress.isOpen ? "+" : "")"
    var line = PaintedLine(count, .bold, columns: columns)
    var used = line.width
    var shown: [Part] = []
    for part in parts(isIdle: isIdle) {
      let width = Self.gap.count + DisplayWidth.of(part.text)
      guard used + width <= columns else { break }
      used += width
      shown.append(part)
    }
    appendBar(to: &line, room: columns - used)
    for part in shown {
      line.append(Self.gap)
      line.append(part.text, part.paint)
    }
    return line
  }

  /// What the line says behind its first count, the most important part first.
  private func parts(isIdle: Bool) -> [Part] {
    var parts: [Part] = []
    if progress.failed > 0 { parts.append(Part(text: "\(progress.failed) failed", paint: .bad)) }
    if let remaining = progress.remaining { parts.append(Part(text: "\(remaining)")) }
    parts.append(Part(text: executing, paint: isIdle ? .warning : .plain))
    if let delayed = progress.delayedPart { parts.append(Part(text: delayed, paint: .warning)) }
    if let starting = progress.startingPart { parts.append(Part(text: starting)) }
    let ready = min(run.slots.ready, progress.waiting(ready: 0))
    if ready > 0 { parts.append(Part(text: "\(ready) ready")) }
    let waiting = progress.waiting(ready: ready)
    if waiting > 0 { parts.append(Part(text: "\(waiting) waiting", paint: .dim)) }
    if run.skipped > 0 { parts.append(Part(text: "\(run.skipped) skipped", paint: .dim)) }
    parts.append(Part(text: DurationFormat.clock(progress.elapsed), paint: .dim))
    if let rate { parts.append(Part(text: rate, paint: .dim)) }
    return parts
  }

  /// Operations that execute, and the slots for them.
  private var executing: String {
    let slots = run.slots.slots
    guard slots > 0 else { return "\(progress.executing) executing" }
    if run.slots.executing <= progress.executing || progress.executing > slots {
      return "\(progress.executing) of \(slots) executing"
    }
    return "\(progress.executing) executing on \(run.slots.executing) of \(slots) slots"
  }

  /// Operations that ended in a second; nil before anything has ended.
  private var rate: String? {
    guard progress.executed > 0, progress.elapsed >= 1_000_000_000 else { return nil }
    let tenths = Int64(
      saturating: Double(progress.executed) * 1e10 / Double(progress.elapsed) + 0.5
    )
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)/s" : "\(tenths / 10)/s"
  }

  /// A bar and a percentage, if it is known how much there is to do, and if there is room.
  private func appendBar(to line: inout PaintedLine, room: Int) {
    let width = min(room - Self.gap.count - Self.percentWidth, Self.longestBar)
    guard width >= Self.leastBar, !progress.isOpen, progress.total > 0 else { return }
    let halves = progress.finished * 2 * width / progress.total
    let (full, half, rest) = style.isUnicode ? ("━", "╸", "─") : ("#", "", "-")
    let filled =
      String(repeating: full, count: halves / 2) + (halves % 2 == 1 ? half : "")
    let empty = String(repeating: rest, count: width - DisplayWidth.of(filled))
    line.append(Self.gap)
    line.append(filled, progress.failed > 0 ? .bad : .good)
    line.append(empty, .dim)
    let percent = "\(progress.finished * 100 / progress.total)%"
    line.append(String(repeating: " ", count: Self.percentWidth - percent.count) + percent)
  }
}
