package import PoolEvents
import PoolModel
import PoolText

extension Workload {
  /// The one name of an operation for people, UTF-8.
  ///
  /// It is the identifier that the user gave it or, without one, its name or its number.
  package func title(of operation: Int) -> [UInt8] {
    givenID(of: operation) ?? name(of: operation)
  }

  /// The title, safe to print; with the input, or else the action, where it is only a number.
  package func label(of operation: Int) -> String {
    let title = title(of: operation)
    let text = Printable.name(title)
    guard givenID(of: operation) == nil, title == id(of: operation) else { return text }
    if let input = input(of: operation) { return "\(text) (\(MessageExcerpt.input(input)))" }
    return "\(text): \(Printable.name(actionText(of: operation)))"
  }

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
