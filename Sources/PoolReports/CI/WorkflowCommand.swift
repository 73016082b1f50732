/// A command to GitHub's runner, which reads it from a line of a step's log.
struct WorkflowCommand: Hashable {
  /// A property, such as the file that an error is in.
  struct Property: Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  var name: String
  var properties: [Property] = []
  var message = ""

  /// Begins a group of lines, which the log shows folded; a group has no groups within.
  static func group(_ title: String) -> Self { Self(name: "group", message: title) }

  /// Ends a group.
  static let endGroup = Self(name: "endgroup")

  /// An error, which the page of the workflow shows.
  static func error(_ message: String, _ properties: [Property]) -> Self {
    Self(name: "error", properties: properties, message: message)
  }

  /// A warning, which the page of the workflow shows.
  static func warning(_ message: String, _ properties: [Property]) -> Self {
    Self(name: "warning", properties: properties, message: message)
  }

  /// Its line, without a line feed.
  var text: String {
    let list = properties.map { "\($0.name)=\(Self.escaped($0.value, isProperty: true))" }
    let options = list.isEmpty ? "" : " " + list.joined(separator: ",")
    return "::\(name)\(options)::\(Self.escaped(message, isProperty: false))"
  }

  /// Its line.
  var line: [UInt8] { Array((text + "\n").utf8) }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      case ":" where isProperty: escaped += "%3A"
      case "," where isProperty: escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
