package import PoolSystem

/// What GitHub's runner tells a step in its environment.
package struct GitHubPlaces: Hashable, Sendable {
  /// The file that takes the step's summary; nil where the runner names none.
  package var summary: [UInt8]?
  /// The folder of the repository.
  package var workspace: [UInt8]?

  package static let summaryVariable = "GITHUB_STEP_SUMMARY"
  package static let workspaceVariable = "GITHUB_WORKSPACE"

  package init(summary: [UInt8]? = nil, workspace: [UInt8]? = nil) {
    (self.summary, self.workspace) = (summary, workspace)
  }

  package init(_ environment: ProcessEnvironment) {
    func value(_ name: String) -> [UInt8]? {
      environment.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init(summary: value(Self.summaryVariable), workspace: value(Self.workspaceVariable))
  }

  /// A file's path as errors name it: from the repository's folder, if the file is in it.
  func path(of file: [UInt8], in folder: [UInt8]?) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var path = file
    if file.first != slash, let folder { path = folder + [slash] + file }
    guard var root = workspace else { return file }
    if root.last != slash { root.append(slash) }
    return path.starts(with: root) ? Array(path.dropFirst(root.count)) : file
  }
}
