/// The version of the package: of the libraries and of both programs.
package enum PackageVersion {
  /// As semantic versioning writes it; before 1.0, the second number counts breaking changes.
  package static let text = "0.2.0"
  /// The date of its release, or of its first commit, for the manual page.
  package static let date = "2026-11-23"
}
