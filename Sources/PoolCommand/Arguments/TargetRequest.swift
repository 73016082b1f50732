import PoolInputs
import PoolReports
import PoolText

/// What an option that names a target of lines asks for.
package struct TargetRequest: Hashable, Sendable {
  /// The file; `-` is the standard output.
  package var path: [UInt8]
  /// Whether lines are added to an existing file, as `--joblog +FILE` says.
  package var isAppended = false
  /// The inherited descriptor that the user has named, as `fd:3` does.
  package var descriptor: Int32?

  package init(path: [UInt8], isAppended: Bool = false) {
    (self.path, self.isAppended) = (path, isAppended)
  }

  /// Parses the value of an option; throws the reason if it is none.
  init(_ value: OptionValue, for lines: TargetLines) throws(UsageError) {
    if lines == .jobLog {
      let isAppended = value.bytes.first == UInt8(ascii: "+")
      let path = isAppended ? Array(value.bytes.dropFirst()) : value.bytes
      self.init(path: path, isAppended: isAppended)
      if path.isEmpty {
        throw value.failure("\(value.option.spelling) needs the name of a file, or + and the name")
      }
    } else {
      self.init(path: try value.path())
    }
    let prefix = Array("fd:".utf8)
    guard path.starts(with: prefix) else { return }
    guard let number = DecimalParser.integer(Array(path.dropFirst(prefix.count))),
      number <= Int(Int32.max)
    else {
      throw value.failure("fd: needs the number of a descriptor; a file of that name is ./fd:…")
    }
    descriptor = Int32(number)
    path = Array("/dev/fd/\(number)".utf8)
  }
}
