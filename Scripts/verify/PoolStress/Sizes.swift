import Foundation
import PoolCore
import PoolModel

/// What operations cost in the core alone, by shape and number: lines of a name and a number, for
/// `Scripts/bench/run`.
enum Sizes {
  static func measure() throws {
    // First, so that no memory is there to be used again.
    try measureMemory(count: 1_000_000)
    for shape in Shape.allCases {
      let name = shape.rawValue.replacingOccurrences(of: " ", with: "-")
      for count in [100_000, 1_000_000] {
        for _ in 0..<3 { say("\(name).\(count)", microseconds(shape, count)) }
      }
    }
  }

  /// The processor's time of each: others on the machine do not count.
  private static func microseconds(_ shape: Shape, _ count: Int) -> Double {
    let start = clock()
    CoreMill.run(shape, count)
    return Double(clock() - start) * 1e6 / Double(CLOCKS_PER_SEC) / Double(count)
  }

  /// Bytes of each operation that waits with three dependencies.
  private static func measureMemory(count: Int) throws {
    var machine = PoolMachine()
    let kind = machine.dispatcher.addKind()
    let queue = machine.addQueue(to: machine.addFleet())
    let before = try residentBytes()
    machine.graph.reserve(count)
    var ids: [OperationID] = []
    for number in 0..<count {
      ids.append(machine.create(OperationSpec(kind: kind)))
      for distance in [1, 7, 100] where distance <= number {
        let (own, other) = (ids[number], ids[number - distance])
        _ = machine.change(.addDependency(of: own, on: other, requiring: .finished), at: .zero)
      }
    }
    for id in ids { machine.enqueue([id], in: queue, at: .zero) }
    say("bytes", Double(try residentBytes() - before) / Double(count))
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * Int(getpagesize())
  }

  private static func say(_ name: String, _ value: Double) {
    print("\(name) \(value)")
    fflush(nil)
  }
}
