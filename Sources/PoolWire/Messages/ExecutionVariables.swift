/// Environment variables that describe an execution to a command, as the object of byte texts that
/// a message carries.
///
/// They stay JSON between the coordinator, which writes them for each command, and the start of the
/// command: as arrays they would cost two allocations each, on both sides.
package struct ExecutionVariables: Hashable, Sendable {
  /// A checked object; empty if there are no variables.
  let json: [UInt8]

  package static let none = Self(json: [])

  package var isEmpty: Bool { json.isEmpty }

  /// At least the number of bytes of all values.
  package var byteCount: Int { json.count }

  /// Writes variables; their values lose NULs, which no environment can hold.
  package init(_ variables: [(ExecutionVariable, [UInt8])]) {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    for (variable, value) in variables {
      writer.key(variable.rawValue)
      writer.byteText(value.contains(0) ? value.filter { $0 != 0 } : value)
    }
    writer.endObject()
    json = writer.bytes
  }

  /// Consumes and checks the object of a message.
  init(from scanner: inout JSONScanner) throws(JSONError) {
    _ = try scanner.token()
    let start = scanner.position
    try scanner.environment { _, _ in }
    json = Array(scanner.slice(start..<scanner.position))
  }

  private init(json: [UInt8]) {
    self.json = json
  }

  /// The names that our own coordinator writes, in its order; no worker has them already.
  private static let usualNames = [ExecutionVariable.id, .sequence, .key].map {
    Array($0.rawValue.utf8)
  }

  /// Whether each is one of the variables that every command has, and none comes twice.
  package var areUsual: Bool {
    var (count, areUsual) = (0, true)
    visit { name, _ in
      areUsual = areUsual && count < 3 && name.elementsEqual(Self.usualNames[count])
      count += 1
    }
    return areUsual
  }

  /// All of them, in order.
  package var list: [CommandPayload.Variable] {
    var list: [CommandPayload.Variable] = []
    visit { list.append(CommandPayload.Variable(name: Array($0), value: Array($1))) }
    return list
  }

  /// Passes each name and its value to the closure, in order.
  package func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard !isEmpty else { return }
    json.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      do throws(JSONError) {
        try scanner.environment(body)
      } catch {
        preconditionFailure("this was checked: \(error)")
      }
    }
  }
}
