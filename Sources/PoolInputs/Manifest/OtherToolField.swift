/// Fields of other programs' files, and their equivalents in a manifest.
enum OtherToolField {
  /// What to write in place of a field that a manifest does not have.
  static func hint(for name: String) -> String? {
    switch name.lowercased() {
    case "cmd", "command", "exec", "args", "argv", "arguments":
      "use 'run' for an array of words, or 'shell' for a line"
    case "script", "sh", "bash": "use 'shell'"
    case "depends", "depends_on", "dependson", "dependencies", "deps", "needs", "requires":
      "use 'after'"
    case "dir", "directory", "workdir", "working_directory": "use 'cwd'"
    case "retry", "attempts": "use 'retries'"
    default: nil
    }
  }
}
