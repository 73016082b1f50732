import PoolModel
import PoolText
package import PoolWire

/// Commands for people.
package enum CommandLabel {
  /// The command as a shell would read it, on one line.
  package static func text(_ action: CommandPayload.Action) -> String {
    Printable.text(line(action))
  }

  /// The command as a shell would read it.
  package static func line(_ action: CommandPayload.Action) -> [UInt8] {
    switch action {
    case .run(let words): ShellQuoting.line(words)
    case .shell(let line): line
    }
  }
}
