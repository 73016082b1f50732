import PoolInputs
package import PoolReports

/// The picture of a plan that is wanted.
package struct GraphRequest: Hashable, Sendable {
  /// The language; nil for no picture.
  package var format: GraphFormat?
  /// The operation, or group, of whose surroundings it is; nil for everything.
  package var center: [UInt8]?
  /// The records of a run that say what became of the operations.
  package var history: [UInt8]?

  package init() {}

  /// Throws if the options contradict each other.
  func check(beside shared: SharedOptions, _ topic: HelpTopic) throws(UsageError) {
    guard let format else {
      if center == nil, history == nil { return }
      throw UsageError(
        "\(center != nil ? "--around" : "--from") is for a graph",
        hint: "write '--graph dot', mermaid or json, too",
        topic: topic
      )
    }
    if !shared.simulatedWidths.isEmpty {
      throw UsageError(
        "--graph and --simulate print two different things",
        hint: "leave one of them out",
        topic: topic
      )
    }
    if shared.printsJSON, format != .json {
      throw UsageError(
        "--json and --graph \(format.rawValue) print two different things",
        hint: "write '--graph json'",
        topic: topic
      )
    }
  }
}
