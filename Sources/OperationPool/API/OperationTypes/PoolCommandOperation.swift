import OperationWorker
import PoolModel
import PoolWire

/// An operation that is a command, executed in its own process group by a worker that serves
/// commands, such as the standard one.
///
/// `@unchecked Sendable` like its superclass: its own properties are constant.
public final class PoolCommandOperation: PoolOperation, @unchecked Sendable {
  /// The kind that every worker for commands serves.
  public static let kind = CommandPayload.kind

  private let payload: CommandPayload
  /// Where the command's standard output goes.
  public let standardOutput: PoolCommandOutput
  /// Where the command's standard error goes.
  public let standardError: PoolCommandOutput

  /// A program, found on PATH, and its arguments; no shell is involved.
  ///
  /// Without a program, adding the operation to a queue or a group throws ``PoolError``.
  public convenience init(
    run arguments: [String],
    directory: String? = nil,
    environment: [String: String] = [:],
    standardInput: [UInt8] = [],
    standardOutput: PoolCommandOutput = .bytes(),
    standardError: PoolCommandOutput = .bytes(),
    options: PoolOperationOptions = PoolOperationOptions()
  ) {
    let action = CommandPayload.Action.run(arguments.map { Array($0.utf8) })
    self.init(
      action,
      directory,
      environment,
      standardInput,
      (standardOutput, standardError),
      options
    )
  }

  /// A line for `/bin/sh -c`.
  public convenience init(
    shell line: String,
    directory: String? = nil,
    environment: [String: String] = [:],
    standardInput: [UInt8] = [],
    standardOutput: PoolCommandOutput = .bytes(),
    standardError: PoolCommandOutput = .bytes(),
    options: PoolOperationOptions = PoolOperationOptions()
  ) {
    self.init(
      .shell(Array(line.utf8)),
      directory,
      environment,
      standardInput,
      (standardOutput, standardError),
      options
    )
  }

  private init(
    _ action: CommandPayload.Action,
    _ directory: String?,
    _ environment: [String: String],
    _ standardInput: [UInt8],
    _ outputs: (output: PoolCommandOutput, error: PoolCommandOutput),
    _ options: PoolOperationOptions
  ) {
    let variables = environment.sorted { $0.key < $1.key }.map { name, value in
      CommandPayload.Variable(name: Array(name.utf8), value: Array(value.utf8))
    }
    payload = CommandPayload(
      action,
      directory: directory.map { Array($0.utf8) },
      environment: variables,
      standardInput: .bytes(standardInput),
      outputFiles: CommandPayload.OutputFiles(
        output: outputs.output.path,
        error: outputs.error.path
      )
    )
    (standardOutput, standardError) = outputs
    super.init(kind: Self.kind, options)
  }

  override func encodedPayload(_ series: inout PayloadCoding.Series) throws(PoolError) -> [UInt8]? {
    if case .run(let words) = payload.action, words.isEmpty {
      throw PoolError(.notEncodable, "'\(numberedLabel)' is a command without a program")
    }
    return payload.json
  }

  override var outputLimits: OutputLimits {
    guard lines == nil else { return .ofLines }
    return OutputLimits(output: standardOutput.limit, error: standardError.limit)
  }

  override var sendsOutputLimits: Bool { true }
}
