import PoolSystem
import PoolWire

// The inputs of an operation beside its payload: the results of its dependencies.
extension WorkerContext {
  /// The names of the operation's inputs, sorted.
  public var inputNames: [String] { inputs.map(\.name).sorted() }

  /// Decodes an input from its JSON.
  ///
  /// That is the result of a typed operation, in that operation's own output type or any other that
  /// reads the same JSON. The output of a command is accepted if the command prints JSON; for other
  /// outputs there is ``inputBytes(_:)``.
  ///
  /// - Parameters:
  ///   - name: The input's name.
  ///   - type: The type to read.
  /// - Returns: The value.
  /// - Throws: ``WorkerInputError`` if there is no such input, if it is not of this type, or if its
  ///   file cannot be read.
  public func input<Value: Decodable>(
    _ name: String,
    as type: Value.Type = Value.self
  ) throws(WorkerInputError) -> Value {
    let bytes = try inputBytes(name)
    do {
      return try PayloadCoding.decode(type, from: bytes)
    } catch {
      throw WorkerInputError(.mismatch, name, "the input '\(name)' is no \(type): \(error)")
    }
  }

  /// The bytes of an input: the standard output of a command, or the JSON of a result.
  ///
  /// - Parameter name: The input's name.
  /// - Returns: All of its bytes; if they are in a file, each call reads it.
  /// - Throws: ``WorkerInputError`` if there is no such input, or if its file cannot be read.
  public func inputBytes(_ name: String) throws(WorkerInputError) -> [UInt8] {
    guard let input = inputs.first(where: { $0.name == name }) else {
      let names = inputNames.isEmpty ? "none" : inputNames.joined(separator: ", ")
      throw WorkerInputError(.missing, name, "there is no input '\(name)'; there is: \(names)")
    }
    switch input.content {
    case .json(let bytes), .output(let bytes): return bytes
    case .file(let path): return try Self.content(of: path, input: name)
    }
  }

  private static func content(
    of path: [UInt8],
    input name: String
  ) throws(WorkerInputError) -> [UInt8] {
    do throws(SystemFailure) {
      let file = try Descriptors.openFile(path: path)
      defer { Descriptors.close(file) }
      return try SystemIO.readAll(file)
    } catch {
      throw WorkerInputError(.unreadable, name, "the input '\(name)' cannot be read: \(error)")
    }
  }
}

/// Why an operation does not get an input.
public struct WorkerInputError: Error, Hashable {
  /// The kind of reason.
  public enum Code: Hashable, Sendable {
    /// The operation has no input of that name.
    case missing
    /// The input is not of the type that was asked for.
    case mismatch
    /// The file that holds the input cannot be read.
    case unreadable
  }

  /// The kind of reason.
  public let code: Code

  /// The name that was asked for.
  public let input: String

  /// One sentence for people.
  public let message: String

  init(_ code: Code, _ input: String, _ message: String) {
    self.code = code
    self.input = input
    self.message = message
  }
}

extension WorkerInputError: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}
