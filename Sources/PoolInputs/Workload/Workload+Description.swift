package import PoolEvents

extension Workload {
  /// The identifier of an operation, or the name of a group, which are numbered behind the
  /// operations.
  package func id(ofMember number: Int) -> [UInt8] {
    groupCount > 0 && number >= count ? groupName(number - count) : id(of: number)
  }

  /// Describes an operation without its line, its input and its group.
  package func shortDescription(of number: Int) -> OperationDescription {
    OperationDescription(
      id: id(of: number),
      name: name(of: number),
      command: command(of: number)
    )
  }

  /// Describes an operation, or a group.
  package func description(of number: Int) -> OperationDescription {
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
