extension CommandPayload {
  /// The first argument or variable that is too long for any system with this limit, and its
  /// length; nil if there is none.
  ///
  /// The limit includes the NUL at the end of each, like Linux's.
  package func excess(over limit: Int, with variables: ExecutionVariables = .none) -> String? {
    let words: [[UInt8]]
    switch action {
    case .run(let arguments): words = arguments
    case .shell(let line): words = [line]
    }
    if let index = words.firstIndex(where: { $0.count >= limit }) {
      let name = if case .shell = action { "its line" } else { "its word \(index + 1)" }
      return "\(name) has \(words[index].count) bytes"
    }
    let variable = (variables.list + environment).first {
      $0.name.count + 1 + $0.value.count >= limit
    }
    return variable.map { variable in
      let name = String(decoding: variable.name.prefix(64), as: UTF8.self)
      return "its variable '\(name)' has \(variable.value.count) bytes"
    }
  }
}
