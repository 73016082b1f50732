import OperationWorker
import PoolModel

/// A host that ssh reaches, as GNU parallel's `-S` names it: `HOST`, `USER@HOST`, or a whole
/// command, such as `ssh -p 2222 HOST`.
package struct SSHLogin: Hashable, Sendable {
  /// The words before the host: the program and its options.
  private let command: [String]
  /// The host, as ssh takes it.
  package let host: String

  /// The most workers of one host.
  package static let slotLimit = Relay.slotLimit

  /// Nil if no host could be called that, or a shell would take it for something else.
  package init?(_ text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard let host = words.last, Self.isHost(host), words.allSatisfy(Self.isPlain) else {
      return nil
    }
    self.host = host
    command = words.count > 1 ? words.dropLast() : ["ssh"]
  }

  /// A host begins as a name or an address does, and has no slash.
  private static func isHost(_ word: String) -> Bool {
    let start = word.first.map { $0.isLetter || $0.isNumber || $0 == "[" || $0 == "_" }
    return start == true && !word.contains("/")
  }

  /// Whether a shell takes the word as it stands.
  private static func isPlain(_ word: String) -> Bool {
    word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._-@:%+=/,[]".utf8.contains(byte)
      }
    }
  }

  /// The line for a shell that starts a relay there, with so many slots, or as many as that machine
  /// has processors.
  ///
  /// ssh asks for no password, but uses a connection that the user's configuration shares; it
  /// notices by itself that a host is out of reach only after the lease. The login shell there may
  /// be any that has `exec` and single quotes: csh and fish do.
  func line(slots: Int?, lease: LeaseTerms, after setup: HostSetup = HostSetup()) -> String {
    let arguments = "--slots=\(slots.map(String.init) ?? "auto")"
    return line(executing: "opool-worker", with: arguments, lease, after: setup)
  }

  /// The line for a shell that executes one of our programs there.
  package func line(executing program: String, with arguments: String) -> String {
    line(executing: program, with: arguments, .usual, after: HostSetup())
  }

  private func line(
    executing program: String,
    with arguments: String,
    _ lease: LeaseTerms,
    after setup: HostSetup
  ) -> String {
    let interval = 15
    let silence = lease.length / Int64.seconds(Double(interval)) + 2
    let options = [
      "BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=\(interval)",
      "ServerAliveCountMax=\(silence)",
    ]
    let script = """
      PATH=$PATH:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin; export PATH; \
      \(setup.script)command -v \(program) >/dev/null || \
      { echo "opool is not installed there: no \(program) on PATH" >&2; exit 127; }; \
      exec \(program) \(arguments)
      """
    let words = command + options.flatMap { ["-o", $0] } + ["-T", host]
    return words.joined(separator: " ") + " "
      + Self.quote("exec /bin/sh -c \(Self.quote(script))")
  }

  private static func quote(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
