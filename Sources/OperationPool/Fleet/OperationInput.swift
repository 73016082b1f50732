import PoolWire

/// An input of an operation, in words.
package struct InputDescription: Sendable {
  let name: String
  /// What messages call the operation that makes it.
  let maker: String
  /// Whether it is what a command writes to its standard output; else it is a result, as JSON.
  let isOutput: Bool

  package init(name: String, from maker: String, isOutput: Bool) {
    self.name = name
    self.maker = maker
    self.isOutput = isOutput
  }
}

/// What one operation makes for another, under the name that it has there.
struct OperationInput: Sendable {
  let name: String
  private let maker: String
  private let content: InputContent

  init(_ description: InputDescription, _ content: InputContent) {
    name = description.name
    maker = description.maker
    self.content = content
  }

  /// Sees to it that it can be handed over at once, which may take long.
  func prepare() throws(InputFailure) {
    do throws(InputFailure) {
      try content.prepare()
    } catch {
      throw named(error)
    }
  }

  /// What a worker is sent; see ``InputContent/wire(asFile:)``.
  func wire(asFile takesFiles: Bool) throws(InputFailure) -> NamedInput {
    do throws(InputFailure) {
      return NamedInput(name: name, try content.wire(asFile: takesFiles))
    } catch {
      throw named(error)
    }
  }

  private func named(_ failure: InputFailure) -> InputFailure {
    InputFailure("its input '\(name)' from '\(maker)' cannot be had: \(failure)")
  }
}
