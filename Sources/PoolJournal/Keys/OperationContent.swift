package import PoolModel
package import PoolWire

/// What identifies an operation: what it executes, its dependencies, and its identifier.
///
/// Not its line, priority, timeout or name, and not the content of the files that it uses.
package struct OperationContent: Hashable, Sendable {
  /// What the operation executes.
  package enum Action: Hashable, Sendable {
    case command(CommandPayload)
    /// The name of a kind, UTF-8, and its payload as JSON.
    case kind([UInt8], payload: [UInt8])
  }

  /// A dependency of the operation.
  package struct Dependency: Hashable, Sendable {
    package var key: ContentDigest
    package var requirement: PoolRequirement

    package init(_ key: ContentDigest, _ requirement: PoolRequirement) {
      self.key = key
      self.requirement = requirement
    }
  }

  /// An output that the operation takes as an input.
  package struct Input: Hashable, Sendable {
    /// UTF-8.
    package var name: [UInt8]
    package var source: ContentDigest

    package init(_ name: [UInt8], from source: ContentDigest) {
      self.name = name
      self.source = source
    }
  }

  package var action: Action
  /// In any order.
  package var dependencies: [Dependency]
  /// In any order.
  package var inputs: [Input]
  /// The digests of the pieces of its standard input, if the command itself does not contain that.
  package var standardInput: [ContentDigest] = []
  /// UTF-8; nil if none was given, or ``KeyVersion/content`` counts.
  package var identifier: [UInt8]?

  package init(_ action: Action, dependencies: [Dependency] = [], inputs: [Input] = []) {
    self.action = action
    self.dependencies = dependencies
    self.inputs = inputs
  }
}

extension OperationContent {
  /// Appends all of it; unordered parts are sorted, so that only a change of meaning changes the
  /// key.
  func encode(into encoding: inout ContentEncoding) {
    switch action {
    case .command(let command): command.encode(into: &encoding)
    case .kind(let name, let payload):
      encoding.append(.kind, name)
      encoding.append(.payload, json: payload)
    }
    let places = dependencies.sorted { left, right in
      (left.key, left.requirement.rawValue) < (right.key, right.requirement.rawValue)
    }
    for place in places { encoding.append(.dependency, place.key, place.requirement.rawValue) }
    for input in inputs.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      encoding.append(.input, input.name)
      encoding.append(.inputSource, input.source)
    }
    for piece in standardInput { encoding.append(.inputPiece, piece) }
    if let identifier { encoding.append(.identifier, identifier) }
  }
}

extension CommandPayload {
  fileprivate func encode(into encoding: inout ContentEncoding) {
    for field in Field.allCases { encode(field, into: &encoding) }
  }

  /// Appends a field, if the payload has it: an absent field changes no key.
  private func encode(_ field: Field, into encoding: inout ContentEncoding) {
    switch field {
    case .run:
      guard case .run(let words) = action else { return }
      encoding.append(.run, number: UInt64(words.count))
      for word in words { encoding.append(.argument, word) }
    case .shell: if case .shell(let line) = action { encoding.append(.shell, line) }
    case .cwd: if let directory { encoding.append(.folder, directory) }
    case .env:
      let variables = environment.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      for variable in variables {
        encoding.append(.variable, variable.name)
        encoding.append(.value, variable.value)
      }
    case .stdin: encode(standardInput, into: &encoding)
    // They change how the operation is executed, not what.
    case .nice, .stdout, .stderr: break
    }
  }

  /// For a file, its path counts and not its content, like for files that a command names itself.
  private func encode(_ input: StandardInput, into encoding: inout ContentEncoding) {
    switch input {
    case .none: break
    case .bytes(let bytes): encoding.append(.standardInput, bytes)
    case .file(let part):
      encoding.append(.inputFile, part.path)
      guard let range = part.range else { return }
      encoding.append(.inputFile, number: UInt64(range.lowerBound))
      encoding.append(.inputFile, number: UInt64(range.upperBound))
    }
  }
}
