/// Environment variables that describe an execution to a command, as the object of byte texts that
/// a message carries.
///
/// They stay JSON between the coordinator, which writes them for each command, and the start of the
/// command: as arrays they would cost two allocations each, on both sides.
package struct ExecutionVariables: Hashable, Sendable {
  /// A checked object; empty if there are no variables.
  let json: [UInt8]
  /// Whether they are the first of the variables that every command has, in the coordinator's
  /// order.
  package let areUsual: Bool

  package static let none = Self()

  package var isEmpty: Bool { json.isEmpty }

  /// At least the number of bytes of all values.
  package var byteCount: Int { json.count }

  /// Writes what every command is told.
  ///
  /// - Precondition: The values have no NUL, which no environment can hold.
  package init(id: [UInt8], sequence: Int, key: [UInt8]) {
    var writer = JSONWriter(capacity: 128 + id.count)
    writer.append(Self.opening[0][...])
    writer.byteText(id)
    writer.append(Self.opening[1][...])
    writer.endPart()
    writer.decimalText(sequence)
    writer.append(Self.opening[2][...])
    writer.endPart()
    writer.byteText(key)
    writer.endObject()
    (json, areUsual) = (writer.bytes, true)
  }

  /// Consumes and checks the object of a message.
  package init(from scanner: inout JSONScanner) throws(JSONError) {
    _ = try scanner.token()
    let start = scanner.position
    var names = Self.usualNames[...]
    var areUsual = true
    try scanner.environment { name, _ in
      guard areUsual, let usual = names.popFirst(), usual.count == name.count else {
        areUsual = false
        return
      }
      areUsual = JSONScanner(UnsafeRawBufferPointer(name)).holds(usual, at: 0)
    }
    json = Array(scanner.slice(start..<scanner.position))
    self.areUsual = areUsual
  }

  private init() {
    (json, areUsual) = ([], true)
  }

  /// The names that our own coordinator writes, in its order; no worker has them already.
  private static let usualNames = [ExecutionVariable.id, .sequence, .key].map {
    Array($0.rawValue.utf8)
  }
  /// The text before the value of each.
  private static let opening = usualNames.enumerated().map { index, name in
    Array((index == 0 ? "{\"" : ",\"").utf8) + name + Array("\":".utf8)
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
