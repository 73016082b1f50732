package import PoolWire

/// A description of an operation's input.
package struct InputDescription: Sendable {
  package let name: String
  /// The maker's name in messages.
  package let maker: String
  /// Whether it is a command's standard output; otherwise it is a result, as JSON.
  package let isOutput: Bool

  package init(name: String, from maker: String, isOutput: Bool) {
    self.name = name
    self.maker = maker
    self.isOutput = isOutput
  }
}

/// The product of one operation, as an input of another, with the name that it has there.
package struct OperationInput: Sendable {
  package let name: String
  private let maker: String
  private let content: InputContent

  package init(_ description: InputDescription, _ content: InputContent) {
    name = description.name
    maker = description.maker
    self.content = content
  }

  /// Makes it ready to be sent at once; may take long, and ends if the closure returns false.
  package func prepare(while isWanted: () -> Bool) throws(InputFailure) {
    do throws(InputFailure) {
      try content.prepare(while: isWanted)
    } catch {
      throw named(error)
    }
  }

  /// The form in which it is sent to a worker; see ``InputContent/wire(asFile:)``.
  package func wire(asFile takesFiles: Bool) throws(InputFailure) -> NamedInput {
    do throws(InputFailure) {
      return NamedInput(name: name, try content.wire(asFile: takesFiles))
    } catch {
      throw named(error)
    }
  }

  private func named(_ failure: InputFailure) -> InputFailure {
    InputFailure("its input '\(name)' from '\(maker)' is not available: \(failure)")
  }
}
