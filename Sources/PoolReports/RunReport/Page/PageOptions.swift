/// What a page does not show, and what it is called.
package struct PageOptions: Hashable, Sendable {
  /// What is left out of a page that is passed on.
  package struct Omissions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The commands of operations, the arguments of the run, and its folder.
    package static let commands = Self(rawValue: 1)
    /// What operations say when they fail.
    package static let outputs = Self(rawValue: 2)
  }

  /// The name of the file of records, as bytes.
  package var name: [UInt8]
  package var omissions: Omissions

  package init(name: [UInt8], omissions: Omissions = []) {
    (self.name, self.omissions) = (name, omissions)
  }
}
