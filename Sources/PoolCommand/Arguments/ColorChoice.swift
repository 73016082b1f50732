/// When colours are used.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless NO_COLOR is set (https://no-color.org).
  case auto
  case always
  case never

  /// Whether colours are used.
  func allows(isTerminal: Bool, noColor: [UInt8]?) -> Bool {
    switch self {
    case .auto: isTerminal && (noColor ?? []).isEmpty
    case .always: true
    case .never: false
    }
  }
}
