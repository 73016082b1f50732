import Foundation
import OperationPool
import OperationWorker

/// Operations that return what they are given, in each of the types that large values have.
enum Payload {
  static let kinds: [WorkerKind] = [
    .operation(Echo<[UInt8]>.self), .operation(Echo<[Int]>.self), .operation(Echo<[Double]>.self),
    .operation(Echo<Data>.self), .operation(Echo<String>.self), .operation(Discard.self),
  ]

  /// Returns its value.
  struct Echo<Value: Codable & Sendable>: WorkerOperation {
    static var kind: String { "echo \(Value.self)" }
    var value: Value

    func main(_ context: WorkerContext) -> Value { value }
  }

  /// Prints operations a second for values of that many bytes.
  static func measure(_ type: String, bytes: Int, count: Int) async throws {
    switch type {
    case "bytes": try await rate(count) { [UInt8](repeating: UInt8($0 & 127), count: bytes) }
    case "ints": try await rate(count) { first in (0..<bytes / 8).map { $0 * 1_000_003 + first } }
    case "doubles":
      try await rate(count) { first in (0..<bytes / 8).map { Double($0 + first) / 7 } }
    case "data": try await rate(count) { Data(repeating: UInt8($0 & 127), count: bytes) }
    case "string": try await rate(count) { first in text(bytes, first) }
    case "one": try await oneByOne(bytes, count)
    case "pipe": Figures.say("rate", try pipeRate(bytes, count))
    case "coders": try coders(count)
    case "memory": try await memory(bytes, count)
    default: preconditionFailure("no such type: \(type)")
    }
  }

  /// Text that has everything: letters, quotes, line feeds, and what is not ASCII.
  private static func text(_ bytes: Int, _ first: Int) -> String {
    let line = "Zeile \(first): \"größer\" als nichts,\tund 長い\n"
    return String(repeating: line, count: max(1, bytes / line.utf8.count))
  }

  private static func rate<Value: Codable & Sendable & Equatable>(
    _ count: Int,
    _ make: (Int) -> Value
  ) async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    let values = (0..<count).map(make)
    _ = try await echo(queue, Array(values.prefix(4)))
    let clock = ContinuousClock()
    let start = clock.now
    let echoed = try await echo(queue, values)
    let seconds = (clock.now - start) / .seconds(1)
    precondition(echoed == values, "what comes back is what was sent")
    Figures.say("rate", Double(count) / seconds)
  }

  private static func echo<Value: Codable & Sendable>(
    _ queue: PoolOperationQueue,
    _ values: [Value]
  ) async throws -> [Value] {
    let operations = values.map { PoolTypedOperation(Echo(value: $0)) }
    try queue.addOperations(operations)
    var echoed: [Value] = []
    for operation in operations { echoed.append(try await operation.value) }
    return echoed
  }

  /// Prints how many values a second go there and back where each awaits the one before it.
  private static func oneByOne(_ bytes: Int, _ count: Int) async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 1))
    let value = [UInt8](repeating: 7, count: bytes)
    for _ in 0..<2 { _ = try await echo(queue, [value]) }
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<count {
      let echoed = try await echo(queue, [value])
      precondition(echoed[0].count == bytes, "what comes back is what was sent")
    }
    Figures.say("rate", Double(count) / ((clock.now - start) / .seconds(1)))
  }

  // MARK: - Coders

  /// A small value, and in one of them a type that has a form of Foundation's.
  struct Reading: Codable {
    var sensor: String
    var celsius: Double
    var hour: Int
    var source: URL?
  }

  /// Prints microseconds of our coder and of Foundation's, for a hundred values with one URL among
  /// them, and for text that is not ASCII.
  private static func coders(_ count: Int) throws {
    var readings = (0..<100).map { Reading(sensor: "roof", celsius: Double($0) + 0.5, hour: $0) }
    readings[50].source = URL(string: "https://example.org/roof")
    try both("mixed", readings, count)
    try both("text", [String(repeating: "Größe 長い文字列 ", count: 500)], count)
  }

  private static func both<Value: Codable>(_ name: String, _ value: Value, _ count: Int) throws {
    let json = try PayloadCoding.encode(value)
    try time("\(name).encode", count) { _ = try PayloadCoding.encode(value) }
    try time("\(name).decode", count) { _ = try PayloadCoding.decode(Value.self, from: json) }
    let data = Data(json)
    try time("foundation.\(name).encode", count) { _ = try JSONEncoder().encode(value) }
    try time("foundation.\(name).decode", count) {
      _ = try JSONDecoder().decode(Value.self, from: data)
    }
  }

  private static func time(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
    let seconds = try Figures.seconds { for _ in 0..<count { try body() } }
    Figures.say(name, seconds / Double(count) * 1e6)
  }

  // MARK: - Memory

  /// Prints the megabytes that queued payloads take over their own size, at the peak and when all
  /// operations have ended and are gone.
  private static func memory(_ bytes: Int, _ count: Int) async throws {
    let queue = try PoolOperationQueue(workers: .thisExecutable(count: 2))
    _ = try await echo(queue, [[UInt8](repeating: 1, count: 8)])
    let start = resident()
    queue.isSuspended = true
    var operations: [PoolOperation] = []
    for number in 0..<count {
      let value = [UInt8](repeating: UInt8(number & 127), count: bytes)
      let operation = PoolTypedOperation(Discard(value: value))
      try queue.addOperation(operation)
      operations.append(operation)
    }
    Figures.say("queued", resident() - start)
    Figures.say("payloads", Double(count * bytes) / 1e6)
    queue.isSuspended = false
    for operation in operations { _ = try await operation.finished() }
    Figures.say("finished", resident() - start)
    operations = []
    // Another thread gives the memory back.
    try await Task.sleep(for: .seconds(1))
    Figures.say("released", resident() - start)
    Figures.say("peak", peak() - start)
  }

  /// Takes a value and returns nothing.
  struct Discard: WorkerOperation {
    static let kind = "discard"
    var value: [UInt8]

    func main(_ context: WorkerContext) -> Int { value.count }
  }

  /// The megabytes that this process has in memory.
  private static func resident() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let words = text.split(separator: " ")
    return words.count > 1 ? (Double(words[1]) ?? 0) * Double(getpagesize()) / 1e6 : 0
  }

  /// The most that it ever had.
  private static func peak() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return
      (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0)
      * 1_024 / 1e6
  }

  // MARK: - Pipes

  /// The other side of the bare pipe: reads so many bytes, and writes them back, until the end.
  static func mirror(bytes: Int) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
    while readAll(0, buffer) { writeAll(1, buffer) }
  }

  /// The same bytes through two bare pipes, there and back: times a second.
  private static func pipeRate(_ bytes: Int, _ count: Int) throws -> Double {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["mirror", String(bytes)]
    process.standardInput = input
    process.standardOutput = output
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 7)
    let seconds = Figures.seconds {
      for _ in 0..<count {
        writeAll(input.fileHandleForWriting.fileDescriptor, buffer)
        _ = readAll(output.fileHandleForReading.fileDescriptor, buffer)
      }
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return Double(count) / seconds
  }

  private static func readAll(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Bool
  {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = read(
        descriptor,
        UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress,
        rest.count
      )
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func writeAll(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = write(
        descriptor,
        UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress,
        rest.count
      )
      precondition(count > 0, "the other side reads on")
      rest = rest.dropFirst(count)
    }
  }
}
