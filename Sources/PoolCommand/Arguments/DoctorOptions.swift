import PoolInputs

/// The arguments of `opool doctor`.
package struct DoctorOptions: Hashable, Sendable {
  /// Whether to print JSON.
  package var printsJSON = false

  package init() {}

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var options = Self()
    for argument in arguments {
      switch String(decoding: argument, as: UTF8.self) {
      case "--json": options.printsJSON = true
      case "--help", "-h": return .help(.general)
      default:
        throw UsageError(
          "opool doctor takes no such argument",
          argument: argument,
          hint: "'--json' is the only one"
        )
      }
    }
    return .doctor(options)
  }
}
