import PoolInputs
package import PoolReports

/// The arguments of `opool report`.
package struct ReportOptions: Hashable, Sendable {
  /// The file of records; nil for the last run that was kept.
  package var path: [UInt8]?
  /// The file of the page; nil for a report as text on the standard output.
  package var page: [UInt8]?
  /// The file of the trace; nil for none.
  package var trace: [UInt8]?
  /// What page and trace leave out.
  package var omissions: PageOptions.Omissions = []
  /// The records of an earlier run, with which this one is compared.
  package var other: [UInt8]?

  package init() {}

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .report)
    let (files, invocation) = try reader.operands()
    if let invocation { return invocation }
    if files.count > 1 {
      throw UsageError("more than one file", argument: files[1], topic: .report)
    }
    if files.first?.isEmpty == true {
      throw UsageError("the file's name is empty", topic: .report)
    }
    var options = reader.report
    try options.check()
    options.path = files.first
    return .report(options)
  }

  private func check() throws(UsageError) {
    if !omissions.isEmpty, page == nil, trace == nil {
      throw UsageError("--omit is for the files of --html and --trace", topic: .report)
    }
    if other != nil, page != nil || trace != nil {
      let option = page != nil ? "--html a page" : "--trace a trace"
      throw UsageError("--against prints text, and \(option)", topic: .report)
    }
    if let page, page == trace {
      throw UsageError(
        "--html and --trace name the same file",
        argument: page,
        hint: "give each a file of its own",
        topic: .report
      )
    }
  }
}
