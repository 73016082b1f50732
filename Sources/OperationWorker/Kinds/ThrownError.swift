package import PoolWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Failure {
  /// The failure of an operation that threw; nil if it was asked to stop, and threw because of
  /// that.
  ///
  /// - Parameters:
  ///   - error: What it threw.
  ///   - isDeclared: Whether that is of the type that the operation declares.
  ///   - wasAsked: Whether the operation was asked to stop.
  ///   - frameLimit: The size of a frame; the error's JSON may fill half of it.
  package init?(
    thrown error: any Error,
    isDeclared: Bool = false,
    wasAsked: Bool,
    frameLimit: Int = Frame.defaultLimit
  ) {
    if wasAsked, error is WorkerCancellation || error is CancellationError { return nil }
    self.init(cause: .error, message: Self.sentence(of: error), type: "\(Swift.type(of: error))")
    if let error = error as? any Error & Encodable {
      attach(error, isDeclared: isDeclared, limit: min(Self.valueLimit, frameLimit / 2))
    }
    boundTexts()
  }

  /// Adds the error itself if it can be sent; if not, and its type is declared, adds the reason.
  private mutating func attach(_ error: any Encodable, isDeclared: Bool, limit: Int) {
    do {
      value = try Self.json(of: error, limit: limit)
      self.isDeclared = isDeclared
    } catch {
      guard isDeclared else { return }
      let sentence = message.bounded(to: Self.messageLimit / 2)
      message = "\(sentence) (its type is lost: \(error))"
    }
  }

  /// An error's own description: its `errorDescription` if it has one.
  package static func sentence(of error: any Error) -> String {
    if let sentence = (error as? any LocalizedError)?.errorDescription, !sentence.isEmpty {
      return sentence
    }
    return String(describing: error)
  }

  /// The error as JSON that fits into a message.
  private static func json(of error: some Encodable, limit: Int) throws -> [UInt8] {
    let json = try PayloadCoding.encode(error)
    guard json.count <= limit else {
      throw PayloadError(message: "its \(json.count) bytes of JSON are over the limit of \(limit)")
    }
    do throws(JSONError) {
      try JSONScanner.check(json, depthLimit: valueDepthLimit)
    } catch {
      throw PayloadError(message: "its JSON nests deeper than \(valueDepthLimit) levels")
    }
    return json
  }
}
