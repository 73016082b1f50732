import PoolCommand
import PoolWire

@testable import PoolInputs

extension Template {
  /// The command for an input of one field.
  func command(input: [UInt8], number: Int) -> CommandPayload {
    command(TemplateInput([input], number: number))
  }
}
