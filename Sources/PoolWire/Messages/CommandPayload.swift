/// The payload of the kind `command`, which the standard worker serves.
package struct CommandPayload: Hashable, Sendable {
  /// The kind's name.
  package static let kind = "command"

  /// The action of a command.
  package enum Action: Hashable, Sendable {
    /// A program, found on PATH, and its arguments; never empty.
    case run([[UInt8]])
    /// A line for `/bin/sh -c`.
    case shell([UInt8])
  }

  package var action: Action
  /// The working directory, relative to the worker's; nil for the worker's own.
  package var directory: [UInt8]?
  /// Variables added to the worker's environment, in order.
  package var environment: [Variable]
  package var standardInput: StandardInput
  /// The files that its outputs go into, if the answer is not to have them.
  package var outputFiles = OutputFiles.none
  /// The additional nice value, beside the quality of service; see ``niceRange``.
  package var nice = 0

  /// The nice values that an unprivileged process may use, as in POSIX.
  package static let niceRange = 0...19

  /// The fields of a payload, by their keys.
  package enum Field: String, CaseIterable, Sendable {
    case run
    case shell
    case cwd
    case env
    case stdin
    case stdout
    case stderr
    case nice
  }

  /// One variable of the environment; its name is UTF-8, because JSON has no other keys.
  package struct Variable: Hashable, Sendable {
    package var name: [UInt8]
    package var value: [UInt8]

    package init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  package init(
    _ action: Action,
    directory: [UInt8]? = nil,
    environment: [Variable] = [],
    standardInput: StandardInput = .none,
    outputFiles: OutputFiles = .none
  ) {
    self.action = action
    self.directory = directory
    self.environment = environment
    self.standardInput = standardInput
    self.outputFiles = outputFiles
  }
}

extension CommandPayload {
  /// Appends the payload as JSON.
  package func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    for field in Field.allCases { encode(field, into: &writer) }
    writer.endObject()
  }

  /// Appends a field, if the payload has it.
  private func encode(_ field: Field, into writer: inout JSONWriter) {
    switch field {
    case .run:
      guard case .run(let arguments) = action else { return }
      writer.key(field)
      writer.beginArray()
      for argument in arguments { writer.byteText(argument) }
      writer.endArray()
    case .shell:
      guard case .shell(let line) = action else { return }
      writer.key(field)
      writer.byteText(line)
    case .cwd:
      guard let directory else { return }
      writer.key(field)
      writer.byteText(directory)
    case .env:
      guard !environment.isEmpty else { return }
      writer.key(field)
      writer.environment(environment)
    case .stdin:
      guard standardInput != .none else { return }
      writer.key(field)
      writer.standardInput(standardInput)
    case .stdout: writer.outputFile(outputFiles.output, at: field)
    case .stderr: writer.outputFile(outputFiles.error, at: field)
    case .nice:
      guard nice != 0 else { return }
      writer.key(field)
      writer.integer(nice)
    }
  }

  /// The payload as JSON.
  package var json: [UInt8] {
    var writer = JSONWriter(capacity: 128)
    encode(into: &writer)
    return writer.bytes
  }

  /// Decodes a payload; throws if it is not valid.
  package init(json: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(json)
    var arguments: [[UInt8]]?
    var line: [UInt8]?
    (directory, environment, standardInput) = (nil, [], .none)
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextField(&isFirst) {
      switch Self.fields.value(of: key, in: scanner) {
      case .run:
        arguments = try scanner.list { scanner throws(JSONError) in try scanner.byteText() }
      case .shell: line = try scanner.byteText()
      case .cwd: directory = try scanner.byteText()
      case .env: environment = try scanner.environment()
      case .stdin: standardInput = try scanner.standardInput()
      case .stdout: outputFiles.output = try scanner.outputFile()
      case .stderr: outputFiles.error = try scanner.outputFile()
      case .nice: nice = try Self.nice(from: &scanner)
      case nil: _ = try scanner.skipValue()
      }
    }
    try scanner.expectEnd()
    action = try Self.action(arguments, line)
  }

  private static let fields = KeyTable(Field.allCases, named: \.rawValue)

  private static func nice(from scanner: inout JSONScanner) throws(JSONError) -> Int {
    let start = scanner.position
    let nice: Int = try scanner.integer()
    guard niceRange.contains(nice) else { throw JSONError(.numberOutOfRange, at: start) }
    return nice
  }

  /// The one action that a payload names.
  private static func action(
    _ arguments: [[UInt8]]?,
    _ line: [UInt8]?
  ) throws(JSONError) -> Action {
    switch (arguments, line) {
    case (let arguments?, nil) where !arguments.isEmpty: return .run(arguments)
    case (nil, let line?): return .shell(line)
    default: throw JSONError(.expected("a command: either 'run', not empty, or 'shell'"), at: 0)
    }
  }
}

extension JSONWriter {
  /// Appends the key of a field.
  package mutating func key(_ field: CommandPayload.Field) {
    key(field.rawValue)
  }

  /// Appends an environment as an object of byte texts.
  mutating func environment(_ variables: [CommandPayload.Variable]) {
    beginObject()
    for variable in variables {
      key(variable.name)
      byteText(variable.value)
    }
    endObject()
  }
}

extension JSONScanner {
  /// Consumes an object of byte texts: an environment.
  package mutating func environment() throws(JSONError) -> [CommandPayload.Variable] {
    var variables: [CommandPayload.Variable] = []
    try environment { name, value in
      variables.append(CommandPayload.Variable(name: Array(name), value: Array(value)))
    }
    return variables
  }

  /// Consumes an environment, and passes each name and its value to the closure.
  ///
  /// Throws for a name that no environment can hold: an empty one, or one with `=` or a NUL.
  mutating func environment(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) throws(JSONError) {
    var isFirst = true
    try beginObject()
    while let name = try nextKey(&isFirst) {
      let isName = withContent(of: name) { bytes in
        !bytes.isEmpty && bytes.allSatisfy { $0 != UInt8(ascii: "=") && $0 != 0 }
      }
      guard isName else { throw JSONError(.expected("the name of a variable"), at: position) }
      if peek() == .quote {
        let value = try scanString()
        withContent(of: name) { name in withContent(of: value) { body(name, $0) } }
      } else {
        let value = try byteText()
        withContent(of: name) { name in value.withUnsafeBufferPointer { body(name, $0) } }
      }
    }
  }
}

// MARK: - Inputs

extension CommandPayload {
  /// The start of the variables that name the files of a command's inputs.
  package static let inputPrefix = "OPOOL_INPUT_"

  /// The variable of a command's environment with the path of an input's file.
  ///
  /// Letters, digits and underscores of ASCII stay; each other character becomes an underscore.
  package static func inputVariable(_ name: String) -> String {
    var variable = inputPrefix
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": variable.unicodeScalars.append(scalar)
      default: variable += "_"
      }
    }
    return variable
  }

  /// The reason why one command cannot get inputs with these names: two of them share a variable.
  package static func collision(ofInputs names: some Sequence<String>) -> String? {
    var owners: [String: String] = [:]
    for name in names {
      let variable = inputVariable(name)
      guard let owner = owners.updateValue(name, forKey: variable) else { continue }
      return "the inputs '\(owner)' and '\(name)' would both be \(variable)"
    }
    return nil
  }
}
