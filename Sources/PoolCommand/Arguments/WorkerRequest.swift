package import OperationPool
import PoolModel

/// Workers that the user names: `--worker 'N:COMMAND'`, or one host of `-S`.
package struct WorkerRequest: Hashable, Sendable {
  /// Where they are.
  package enum Place: Hashable, Sendable {
    /// Wherever a line for `sh -c 'exec …'` starts them; it is not empty.
    case command([UInt8])
    /// On a host, over one connection.
    case host(SSHLogin)
    /// On a node of the Slurm job that this process is part of.
    case node(SlurmAllocation.Node)
    /// On this machine.
    case here
  }

  package var place: Place
  /// How many, 1 to 10,000; nil for as many as the host says, or here as `-j`.
  package var count: Int?
  /// What its machines have, for operations that need it.
  package var features: Set<String> = []
  /// Whether a line of the file of `--hosts` names it.
  package var isFromFile = false

  package init(_ place: Place, count: Int?) {
    (self.place, self.count) = (place, count)
  }

  package init(count: Int, command: [UInt8]) {
    self.init(.command(command), count: count)
  }

  /// Whether they serve commands, and nothing else.
  var areStandard: Bool {
    if case .command = place { return false }
    return true
  }

  /// The command that starts them, or one as short for a host.
  package var command: [UInt8] {
    switch place {
    case .command(let command): command
    case .host(let login): Array("ssh \(login.host)".utf8)
    case .node(let node): Array("srun -r \(node.index)".utf8)
    case .here: Array("local".utf8)
    }
  }

  /// The option, as it could have been written.
  var text: String {
    let number = count.map { "\($0)/" } ?? ""
    return switch place {
    case .command(let command): "--worker '\(count ?? 1):\(Printable.text(command))'"
    case .host(let login): "\(option) \(number)\(login.host)"
    case .node(let node): "--slurm, node \(node.index)"
    case .here: "\(option) \(number):"
    }
  }

  private var option: String { isFromFile ? "--hosts," : "-S" }
}
