import PoolModel

extension Workload {
  /// The special scheduling of an operation, such as `barrier; slots 2`; empty for most.
  package func details(of operation: Int) -> String {
    let resources = claims(of: operation).map { resource($0) }
    let categories = resources.filter { $0.name.source == .exclusive }
    let limits = resources.filter { $0.name.source == .limit }
    var parts: [String] = []
    if isBarrier(operation) { parts.append("barrier") }
    if let group = group(of: operation) {
      parts.append("group " + Printable.name(groupName(group)))
    }
    parts += Self.list("exclusive", categories.map { Printable.name($0.name.text) })
    parts += Self.list("limit", limits.map { "\(Printable.name($0.name.text)) \($0.units)" })
    parts += Self.list("constraint", kind(of: operation).features)
    let slots = slots(of: operation)
    if slots > 1 { parts.append("slots \(slots)") }
    parts += Self.list("inputs", inputs(of: operation))
    return parts.joined(separator: "; ")
  }

  private func inputs(of operation: Int) -> [String] {
    var inputs: [String] = []
    forEachInput(of: operation) { name, source in
      inputs.append("\(Printable.name(name)) from \(Printable.name(id(of: source)))")
    }
    return inputs
  }

  /// The first items behind a title; empty without items.
  private static func list(_ title: String, _ items: [String]) -> [String] {
    let limit = 8
    if items.isEmpty { return [] }
    let rest = items.count > limit ? " and \(items.count - limit) more" : ""
    return ["\(title) \(items.prefix(limit).joined(separator: ", "))\(rest)"]
  }
}
