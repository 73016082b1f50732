package import OperationPool
import PoolInputs
import PoolModel

/// The arguments of `opool doctor`.
package struct DoctorOptions: Hashable, Sendable {
  /// Whether to print JSON.
  package var printsJSON = false
  /// The machine that it is about; nil for this one.
  package var host: SSHLogin?

  package init() {}

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var options = Self()
    for argument in arguments {
      switch String(decoding: argument, as: UTF8.self) {
      case "--json": options.printsJSON = true
      case "--help", "-h": return .help(.general)
      case let word:
        guard options.host == nil, let host = SSHLogin(word) else {
          throw UsageError(
            "opool doctor takes no such argument",
            argument: argument,
            hint: "it takes '--json', and a host that ssh reaches, such as me@box"
          )
        }
        options.host = host
      }
    }
    return .doctor(options)
  }
}
