/// What an operation, or a group, is called; records have only its number.
package struct OperationDescription: Sendable {
  /// UTF-8.
  package var id: [UInt8]
  /// For people, UTF-8.
  package var name: [UInt8]
  /// Its group, UTF-8.
  package var group: [UInt8]?
  /// The line of the manifest, if any.
  package var line: Int?
  /// The input of `opool map`.
  package var input: [UInt8]?
  /// The parts of that input, one for each source or column.
  package var inputs: [[UInt8]]?
  /// Its command as a shell would read it; nil for another kind.
  package var command: [UInt8]?

  package init(
    id: [UInt8],
    name: [UInt8]? = nil,
    group: [UInt8]? = nil,
    line: Int? = nil,
    input: [UInt8]? = nil,
    inputs: [[UInt8]]? = nil,
    command: [UInt8]? = nil
  ) {
    (self.id, self.name, self.group, self.line) = (id, name ?? id, group, line)
    (self.input, self.inputs, self.command) = (input, inputs, command)
  }
}

extension Workload {
  /// The identifier of an operation, or the name of a group, which are numbered behind the operations.
  func id(ofMember number: Int) -> [UInt8] {
    groupCount > 0 && number >= count ? groupName(number - count) : id(of: number)
  }

  /// Describes an operation, or a group.
  func description(of number: Int) -> OperationDescription {
    guard groupCount == 0 || number < count else {
      return OperationDescription(id: groupName(number - count))
    }
    return OperationDescription(
      id: id(of: number),
      name: name(of: number),
      group: group(of: number).map { groupName($0) },
      line: line(of: number),
      input: input(of: number),
      inputs: inputs(of: number),
      command: command(of: number)
    )
  }
}
