import PoolAnalysis
import PoolEvents
import PoolModel

extension HistoricOperation {
  /// What reports call it: its identifier, and where this is only its number its name, too.
  ///
  /// Safe to print.
  var label: String {
    let id = Printable.name(submitted.description.id)
    let name = submitted.description.name
    guard id == "\(number + 1)", name != submitted.description.id else { return id }
    return "\(id) (\(Printable.name(name)))"
  }
}
