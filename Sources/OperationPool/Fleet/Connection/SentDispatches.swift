import PoolModel

/// Which dispatches a link may have carried: those of which at least a byte was written.
struct SentDispatches {
  /// The last one of these; nil if there is none.
  private(set) var last: DispatchNumber?
  /// Those that wait to be written, and after how many bytes of the stream each begins.
  private var waiting: [(number: DispatchNumber, start: Int)] = []
  /// Number of bytes that were written.
  private var written = 0

  /// A dispatch is about to be added, behind this number of bytes that wait to be written.
  mutating func append(_ number: DispatchNumber, behind pending: Int) {
    waiting.append((number, written + pending))
  }

  /// This number of bytes was written, and so many wait.
  mutating func advance(by count: Int, leaving pending: Int) {
    guard !waiting.isEmpty else {
      written += count
      return
    }
    written += count
    if pending == 0 {
      last = waiting.last?.number
      return waiting.removeAll(keepingCapacity: true)
    }
    let sent = waiting.prefix { $0.start < written }
    guard let last = sent.last else { return }
    self.last = last.number
    waiting.removeFirst(sent.count)
  }
}
