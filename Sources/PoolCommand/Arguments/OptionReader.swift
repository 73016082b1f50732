import PoolCore
import PoolInputs
import PoolModel
import PoolText

/// Parses arguments: stores the options, and returns everything else.
struct OptionReader {
  /// An argument that is not an ordinary option.
  enum Item {
    /// `--help` or `--version`, which end the parsing.
    case invocation(Invocation)
    case operand([UInt8])
  }

  private(set) var shared = SharedOptions()
  private(set) var inputs = InputOptions()
  private(set) var blocks = BlockOptionValues()
  private(set) var report = ReportOptions()
  private(set) var asking = AskOptions()
  private(set) var check = CheckWorkerOptions()

  private let arguments: [[UInt8]]
  private let topic: HelpTopic
  private var position = 0
  private var takesOptions = true

  init(_ arguments: [[UInt8]], topic: HelpTopic) {
    self.arguments = arguments
    self.topic = topic
  }

  /// The arguments that are not parsed yet.
  var rest: [[UInt8]] { Array(arguments[position...]) }

  /// Returns the next argument that is not an ordinary option; nil at the end.
  mutating func next() throws(UsageError) -> Item? {
    while position < arguments.count {
      let argument = arguments[position]
      position += 1
      guard takesOptions, argument.count > 1, argument[0] == UInt8(ascii: "-") else {
        return .operand(argument)
      }
      if argument == Array("--".utf8) {
        takesOptions = false
      } else if argument[1] == UInt8(ascii: "-") {
        if let invocation = try takeLong(argument) { return .invocation(invocation) }
      } else if let invocation = try takeLetters(argument) {
        return .invocation(invocation)
      }
    }
    return nil
  }

  /// Parses all arguments, and returns the operands, and the invocation that has ended the parsing,
  /// if one has.
  mutating func operands() throws(UsageError) -> (words: [[UInt8]], invocation: Invocation?) {
    var words: [[UInt8]] = []
    while let item = try next() {
      switch item {
      case .invocation(let invocation): return (words, invocation)
      case .operand(let word): words.append(word)
      }
    }
    return (words, nil)
  }

  /// Returns the options; call it after the last argument.
  func checkedOptions() throws(UsageError) -> SharedOptions {
    try shared.journal.check(beside: shared.results, topic)
    try shared.display.check(beside: shared, topic)
    try shared.graph.check(beside: shared, topic)
    if shared.history != nil, shared.order == .submission, shared.simulatedWidths.isEmpty {
      throw UsageError(
        "--history is for an order that durations matter to",
        hint: "write '--order critical-path', or '--simulate WIDTHS'",
        topic: topic
      )
    }
    if shared.streams, shared.order != .submission {
      throw UsageError(
        "--stream and --order \(shared.order.rawValue): the order needs the whole manifest",
        hint: "leave one of them out",
        topic: topic
      )
    }
    if shared.starts.shuffles, shared.order != .submission {
      throw UsageError(
        "--shuf and --order \(shared.order.rawValue) are two orders",
        hint: "leave one of them out",
        topic: topic
      )
    }
    return shared
  }

  private mutating func takeLong(_ argument: [UInt8]) throws(UsageError) -> Invocation? {
    let body = argument.dropFirst(2)
    let name = body.prefix { $0 != UInt8(ascii: "=") }
    let attached = name.endIndex < body.endIndex ? Array(body[(name.endIndex + 1)...]) : nil
    guard let option = Option.named(String(decoding: name, as: UTF8.self), in: topic) else {
      throw unknown(argument, name: "--" + String(decoding: name, as: UTF8.self))
    }
    guard option.valueName != nil else {
      if attached != nil {
        throw UsageError("\(option.spelling) takes no value", argument: argument, topic: topic)
      }
      return try apply(option, value: [])
    }
    if option.row.hasOptionalValue, attached?.isEmpty == true {
      throw UsageError("\(option.spelling)= has no value", argument: argument, topic: topic)
    }
    return try apply(option, value: try value(of: option, attached: attached))
  }

  /// Parses letters behind one dash.
  ///
  /// The rest of the word is the value of the first letter that
  /// takes one.
  private mutating func takeLetters(_ argument: [UInt8]) throws(UsageError) -> Invocation? {
    var index = 1
    while index < argument.count {
      guard let option = Option.lettered(argument[index], in: topic) else {
        throw unknown(argument, name: String(decoding: argument, as: UTF8.self))
      }
      index += 1
      if option.valueName != nil {
        let attached = index < argument.count ? Array(argument[index...]) : nil
        return try apply(option, value: try value(of: option, attached: attached))
      }
      if let invocation = try apply(option, value: []) { return invocation }
    }
    return nil
  }

  private mutating func value(
    of option: Option,
    attached: [UInt8]?
  ) throws(UsageError) -> [UInt8] {
    if let attached { return attached }
    if option.row.hasOptionalValue { return [] }
    guard position < arguments.count else {
      throw UsageError("\(option.spelling) needs a value: \(option.valueName ?? "")", topic: topic)
    }
    position += 1
    return arguments[position - 1]
  }

  private func unknown(_ argument: [UInt8], name: String) -> UsageError {
    UsageError(
      "unknown option",
      argument: argument,
      hint: OtherToolOption.hint(for: name) ?? hint(for: name),
      topic: topic
    )
  }

  /// The options that begin so, unless the most similar one is among them; else that one.
  ///
  /// A name of one letter is near to every other one, so it gets no such hint.
  private func hint(for name: String) -> String? {
    guard name.utf8.count >= 3 else { return nil }
    let names = Option.all(in: topic).map(\.spelling)
    let near = NearestName.of(name, among: names).map { [$0] } ?? []
    let longer = name.utf8.count > 3 ? names.filter { $0.hasPrefix(name) } : []
    let meant = longer.isEmpty || near.contains(where: longer.contains) ? near : longer
    guard (1...3).contains(meant.count) else { return nil }
    return "did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?"
  }

  private mutating func apply(
    _ option: Option,
    value bytes: [UInt8]
  ) throws(UsageError) -> Invocation? {
    let value = OptionValue(option: option, bytes: bytes, topic: topic)
    switch option {
    case .blocks(let option): try blocks.set(option, to: value)
    case .execution(let option): try shared.set(option, to: value)
    case .graph(let option): try shared.set(option, to: value)
    case .inputs(let option): try inputs.set(option, to: value)
    case .starts(let option): try shared.set(option, to: value)
    case .failures(let option): try shared.set(option, to: value)
    case .output(let option): try shared.set(option, to: value)
    case .journal(let option): try shared.set(option, to: value)
    case .report(let option): try report.set(option, to: value)
    case .asking(let option): try asking.set(option, to: value)
    case .check(let option): try check.set(option, to: value)
    case .reference(.shortHelp): return .shortHelp
    case .reference(.help): return .help(topic)
    case .reference(.version): return .version
    }
    return nil
  }
}
