import PoolEvents
import PoolModel
import PoolText

extension HistoricOperation {
  /// What reports call it: its identifier, and where this is only its number its input or command,
  /// too.
  ///
  /// Safe to print.
  package var label: String {
    let description = submitted.description
    let id = Printable.name(description.id)
    guard id == "\(number + 1)" else { return id }
    guard let what = description.input ?? description.command else { return id }
    return "\(id) (\(MessageExcerpt.input(what)))"
  }
}
