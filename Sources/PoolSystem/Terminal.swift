import CPoolSystem

/// What a terminal is like.
package enum Terminal {
  /// How many columns the terminal behind a descriptor has; nil where there is none.
  package static func columns(of descriptor: Int32) -> Int? {
    guard Descriptors.isTerminal(descriptor) else { return nil }
    let columns = Int(opool_terminal_columns(descriptor))
    return columns > 0 ? columns : 80
  }
}
