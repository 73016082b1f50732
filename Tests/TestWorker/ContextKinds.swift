import Foundation
import OperationWorker

/// What an operation sees of itself, asked for where it was handed no context.
private struct Sight: Codable, Sendable {
  var name: String?
  var queue: String?
  var inputs: [String]
  var isItself: Bool
}

/// Looks at the current context, as code deep inside an operation would.
private func look(for context: WorkerContext) -> Sight {
  let current = WorkerContext.current
  return Sight(
    name: current?.operationName,
    queue: current?.queueName,
    inputs: current?.inputNames ?? [],
    isItself: current?.operationID == context.operationID
  )
}

/// Says what it sees of itself.
struct Look: WorkerOperation {
  static let kind = "look"

  func main(_ context: WorkerContext) -> some Codable & Sendable { look(for: context) }
}

/// Says what it sees of itself, from a child task and after suspensions.
struct AsyncLook: AsyncWorkerOperation {
  static let kind = "asyncLook"

  func main(_ context: WorkerContext) async -> some Codable & Sendable {
    await Task.yield()
    async let child = look(for: context)
    let inner = await Task { look(for: context) }.value
    let outer = await Task.detached { WorkerContext.current == nil }.value
    var sight = await child
    sight.isItself = sight.isItself && inner.isItself && outer
    return sight
  }
}

/// The sum of all inputs, each of which is a number.
struct SumOfInputs: WorkerOperation {
  static let kind = "sumOfInputs"

  func main(_ context: WorkerContext) throws -> Int {
    try context.inputNames.reduce(0) { try $0 + context.input($1, as: Int.self) }
  }
}

/// The bytes of the input that it names, as numbers.
struct BytesOfInput: WorkerOperation {
  static let kind = "bytesOfInput"
  var name: String

  func main(_ context: WorkerContext) throws -> [UInt8] { try context.inputBytes(name) }
}

/// The niceness of the thread that executes it.
struct Niceness: WorkerOperation {
  static let kind = "niceness"

  func main(_ context: WorkerContext) throws -> Int { try Self.ofThread() }

  /// The niceness of the calling thread, as Linux shows it.
  static func ofThread() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
    // The name, in parentheses, may hold anything; niceness is the 17th field after it.
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return Int(fields[17]) ?? .min
  }
}

/// The niceness of each thread that executes a part of it.
struct AsyncNiceness: AsyncWorkerOperation {
  static let kind = "asyncNiceness"

  func main(_ context: WorkerContext) async throws -> [Int] {
    var values = [try Niceness.ofThread()]
    await Task.yield()
    values.append(try Niceness.ofThread())
    try await Task.sleep(for: .milliseconds(1))
    // It has a thread of the runtime's, which serves others afterwards.
    await Task.detached {}.value
    values.append(try Niceness.ofThread())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try Niceness.ofThread() } }
      for try await value in group { values.append(value) }
    }
    return Set(values).sorted()
  }
}
