/// A shell that `opool completion` prints a script for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
