import PoolInputs

/// The arguments of `opool report`.
package struct ReportOptions: Hashable, Sendable {
  /// The file of records; not empty.
  package var path: [UInt8]
  /// The file of the page; nil for a report as text on the standard output.
  package var page: [UInt8]?

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var (files, page): ([[UInt8]], [UInt8]?) = ([], nil)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch String(decoding: argument, as: UTF8.self) {
      case "--help", "-h": return .help(.general)
      case "--html":
        guard let file = rest.popFirst(), !file.isEmpty else {
          throw UsageError("--html needs a file", argument: argument)
        }
        page = file
      case let word where word.hasPrefix("-"):
        throw UsageError("opool report has no such option", argument: argument)
      default: files.append(argument)
      }
    }
    guard files.count == 1, let path = files.first, !path.isEmpty else {
      throw UsageError("opool report needs one file")
    }
    return .report(ReportOptions(path: path, page: page))
  }
}
