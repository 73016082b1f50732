import Foundation
import OperationPool
import OperationWorker

/// Measures the library through its public face; see `Scripts/bench/run`, which calls it.
///
/// `noop [COUNT [ROUNDS]]` executes operations that do nothing, beside Foundation's queue and the
/// frames alone; `typed [COUNT]`, operations of a type, and `adding [COUNT [ROUNDS]]`, both, added
/// by one thread; `roundtrip [COUNT [ROUNDS]]`, one operation at a time; `granularity PATTERN STEPS
/// NANOSECONDS`, graphs of ever less work; `handles [COUNT]`, operations that wait; `rest
/// [WORKERS]` has workers with nothing to do, until the input ends; `mixed WORKERS [PLACE
/// MICROSECONDS]`, operations of the lengths that it reads, and an urgent one behind that of the
/// place; `queues [COUNT [ROUNDS]]`, operations in many queues, and groups in groups; `claims
/// [COUNT [ROUNDS]]`, operations that claim something; `payload TYPE BYTES COUNT` echoes large
/// values; `latencies [COUNT]` measures how soon cancellations and deaths are dealt with; `waiting
/// [THREADS [ROUNDS]]` has threads wait for operations of theirs; `blocks [COUNT [ROUNDS]]`
/// executes blocks of this process, `block-widths` beside queues of 1, 2 and 4; `observed [COUNT
/// [ROUNDS]]`, operations with observers; `wide [WORKERS [ROUNDS]]`, many workers that sleep.
///
/// `profile COUNT [WORKER [WIDTH [OBSERVER]]]` does the first of these alone, for a profiler; where
/// that is the process's executable, as valgrind is, WORKER names the program to spawn, and with a
/// WIDTH there is one of them, which has so many operations at once. They are observed as
/// `observed` calls it: `completion`, `queue`, `operation`; or they are `typed`. `block-profile
/// COUNT [WIDTH [plain]]` executes only blocks that suspend, or `plain` ones. `coder WAY [COUNT]`
/// has our coder encode or decode the same value. `echo` is the other side of the frames alone,
/// `mirror BYTES` that of a bare pipe.
@main
enum PoolBench {
  static let kinds =
    Noop.kinds + Typed.kinds + RoundTrip.kinds + Granularity.kinds + Rest.kinds + Latencies.kinds
    + Mixed.kinds + Payload.kinds + Wide.kinds

  static func main() async throws {
    if try PoolWorker.serveIfSpawned(kinds) { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (first, second) = (numbers.first, numbers.dropFirst().first)
    switch arguments.first {
    case "echo": Ceiling.echo()
    case "noop": try Noop.compare(count: first ?? 100_000, rounds: second ?? 7)
    case "profile":
      let worker = arguments.dropFirst(2).first
      let queue = try Noop.queue(worker: worker, width: second)
      let observer = arguments.last.flatMap(Observed.Observer.init) ?? .flat
      arguments.last == "typed"
        ? try Typed.profile(queue, count: first ?? 100_000)
        : try Noop.profile(queue, count: first ?? 100_000, observer)
    case "typed": try await Typed.measure(count: first ?? 50_000)
    case "coder": try Coders.profile(arguments.dropFirst().first ?? "encode", count: first ?? 1_000)
    case "adding": try Typed.adding(count: first ?? 100_000, rounds: second ?? 5)
    case "roundtrip": try await RoundTrip.measure(count: first ?? 2_000, rounds: second ?? 7)
    case "granularity":
      let pattern = arguments.dropFirst().first.flatMap(Pattern.init) ?? .trivial
      let start = Double(second ?? 64_000)
      try Granularity.sweep(pattern, steps: first ?? 1_000, from: start)
    case "handles": try Rest.handles(count: first ?? 1_000_000)
    case "waiting":
      try Waiting.compare(threads: first ?? 128, milliseconds: 500, rounds: second ?? 5)
    case "block-profile":
      try Blocks.profile(
        count: first ?? 100_000,
        width: second ?? 4,
        suspending: arguments.last != "plain"
      )
    case "block-widths": try Blocks.compareWidths(count: first ?? 50_000, rounds: second ?? 5)
    case "blocks": try await Blocks.compare(count: first ?? 100_000, rounds: second ?? 5)
    case "observed": try Observed.compare(count: first ?? 300_000, rounds: second ?? 3)
    case "rest": try Rest.idle(workers: first ?? 8)
    case "mixed":
      let place = numbers.dropFirst().first
      try Mixed.measure(workers: first ?? 8, urgentAfter: place, microseconds: numbers.last ?? 0)
    case "payload":
      let type = arguments.dropFirst().first ?? "bytes"
      try await Payload.measure(type, bytes: first ?? 100_000, count: second ?? 1_000)
    case "mirror": Payload.mirror(bytes: first ?? 100_000)
    case "claims": try Claims.compare(count: first ?? 50_000, rounds: second ?? 5)
    case "queues": try Queues.compare(count: first ?? 100_000, rounds: second ?? 5)
    case "wide": try Wide.measure(workers: first ?? 256, rounds: second ?? 3)
    case "latencies": try Latencies.measure(count: first ?? 200)
    default: refuse()
    }
  }

  private static func refuse() -> Never {
    let names = [
      "noop|profile|typed|roundtrip|granularity|handles|rest|mixed|queues|claims|payload|latencies",
      "waiting|blocks|block-widths|block-profile|observed|adding|coder|wide",
    ].joined(separator: "|")
    FileHandle.standardError.write(Data("usage: pool-bench \(names) [NUMBER]…\n".utf8))
    exit(2)
  }
}
