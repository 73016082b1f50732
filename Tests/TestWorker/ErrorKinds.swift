import Foundation
import OperationWorker

/// What operations of this worker throw: as the tests have it, in a type of their own.
enum Complaint: Error, Codable {
  case tooLarge(pixels: Int)
  case text(String)
  case number(Double)
  case nested(Deep.Output)
}

/// Throws what it is told to.
struct Complain: WorkerOperation {
  static let kind = "throw"
  typealias Failure = Complaint

  /// What it throws.
  enum Deed: String, Codable, Sendable {
    case declared, large, deepest, tooDeep, notANumber, twin, plain, localized, wordless, wordy
    case cancellation, onceOnly
  }

  /// Another type of the same shape.
  enum Twin: Error, Codable { case tooLarge(pixels: Int) }

  /// An error that is no JSON.
  struct Plain: Error, CustomStringConvertible {
    var description: String
  }

  /// An error that says something to people.
  struct Localized: LocalizedError {
    var errorDescription: String?
  }

  var deed: Deed

  func main(_ context: WorkerContext) throws -> Int {
    switch deed {
    case .declared: throw Complaint.tooLarge(pixels: 7)
    case .large: throw Complaint.text(String(repeating: "x", count: 70_000))
    // The value, its case and its label are two levels, and the message's `error` is one.
    case .deepest: throw Complaint.nested(Deep.Output(levels: 509))
    case .tooDeep: throw Complaint.nested(Deep.Output(levels: 510))
    case .notANumber: throw Complaint.number(.nan)
    case .twin: throw Twin.tooLarge(pixels: 8)
    case .plain: throw Plain(description: "no more of this")
    case .localized: throw Localized(errorDescription: "Der Stecker ist gezogen.")
    case .wordless: throw Localized(errorDescription: nil)
    case .wordy: throw Plain(description: "e" + String(repeating: "\u{301}", count: 1_000_000))
    case .cancellation: throw WorkerCancellation()
    case .onceOnly:
      if context.attempt == 1 { throw Complaint.tooLarge(pixels: 1) }
      return context.attempt
    }
  }
}

/// The same, with a suspension before it.
struct AsyncComplain: AsyncWorkerOperation {
  static let kind = "asyncThrow"
  typealias Failure = Complaint

  var deed: Complain.Deed

  func main(_ context: WorkerContext) async throws -> Int {
    await Task.yield()
    return try Complain(deed: deed).main(context)
  }
}
