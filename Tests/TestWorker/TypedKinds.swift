import Foundation
import OperationWorker

/// The sum of some numbers.
struct Sum: WorkerOperation {
  static let kind = "sum"

  /// What comes back.
  struct Output: Codable, Sendable {
    var sum: Int
    var attempt: Int
  }

  var numbers: [Int]

  func main(_ context: WorkerContext) -> Output {
    Output(sum: numbers.reduce(0, +), attempt: context.attempt)
  }
}

/// The sum of some numbers, with a suspension between them.
struct AsyncSum: AsyncWorkerOperation {
  static let kind = "asyncSum"
  var numbers: [Int]

  func main(_ context: WorkerContext) async -> Int {
    var sum = 0
    for number in numbers {
      await Task.yield()
      sum += number
    }
    return sum
  }
}

/// An operation that always fails.
struct Fail: WorkerOperation {
  static let kind = "fail"

  /// What it throws.
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  var message: String

  func main(_ context: WorkerContext) throws -> NoOutput {
    throw Refusal(description: message)
  }
}

/// An operation that does what it is told.
struct Mixed: WorkerOperation {
  static let kind = "mixed"

  /// What it does.
  enum Deed: Codable, Sendable {
    case sum(Int)
    case failure
    case forever
  }

  var deed: Deed

  func main(_ context: WorkerContext) throws -> Int {
    switch deed {
    case .sum(let number): return number
    case .failure: throw Fail.Refusal(description: "told to fail")
    case .forever: while true { try context.lookUp() }
    }
  }
}

/// An operation that looks up from its work, again and again, whether it should stop.
struct UntilCancelled: WorkerOperation {
  static let kind = "untilCancelled"

  func main(_ context: WorkerContext) throws -> NoOutput {
    while true { try context.lookUp() }
  }
}

/// An operation that says that it has begun.
struct LogUntilCancelled: WorkerOperation {
  static let kind = "logUntilCancelled"

  func main(_ context: WorkerContext) throws -> NoOutput {
    context.log("begun")
    while true { try context.lookUp() }
  }
}

/// An operation that suspends until its task is cancelled.
struct SleepUntilCancelled: AsyncWorkerOperation {
  static let kind = "sleepUntilCancelled"

  func main(_ context: WorkerContext) async throws -> NoOutput {
    try await Task.sleep(for: .seconds(1_000))
    return NoOutput()
  }
}

/// Returns arrays within arrays, as many as it is told.
struct Deep: WorkerOperation {
  static let kind = "deep"

  /// The innermost arrays.
  struct Output: Codable, Sendable {
    var levels: Int

    init(levels: Int) { self.levels = levels }

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      levels = list.isAtEnd ? 1 : try list.decode(Output.self).levels + 1
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      if levels > 1 { try list.encode(Output(levels: levels - 1)) }
    }
  }

  var levels: Int

  func main(_ context: WorkerContext) -> Output { Output(levels: levels) }
}

extension WorkerContext {
  /// Rests for a moment, and ends the operation if it is to stop.
  ///
  /// Tests hold many of these at once, and others must get the processors.
  fileprivate func lookUp() throws {
    usleep(1_000)
    try checkCancellation()
  }
}
