/// A cgroup of a process that may limit its processor time; in version 2 also its memory and its
/// number of processes.
package struct ControlGroup: Hashable, Sendable {
  /// The version of the interface, which determines the names of the files.
  package enum Version: Sendable {
    case one, two
  }

  package var version: Version
  /// The mount point of its hierarchy.
  package var mountPoint: String
  /// Its path below that, without a slash at the end.
  package var path: String

  /// Its folder and those of the cgroups around it, as far as visible from here.
  package var folders: [String] {
    var folders = [mountPoint]
    for name in path.split(separator: "/") { folders.append("\(folders.last ?? "")/\(name)") }
    return folders
  }

  /// The cgroups of this process.
  static var own: [Self] {
    guard let membership = SystemFile.read("/proc/self/cgroup"),
      let mounts = SystemFile.read("/proc/self/mountinfo")
    else { return [] }
    return all(membership: membership, mounts: mounts)
  }

  /// The lowest number in the files of this name, of this process's cgroups and those around them;
  /// nil if none limits anything.
  static func lowestLimit(_ file: String) -> Int? {
    own.flatMap(\.folders).compactMap { folder in
      SystemFile.read("\(folder)/\(file)").flatMap { Int($0.prefix { $0.isNumber }) }
    }.min()
  }

  /// The cgroups of a process, from the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`.
  package static func all(membership: String, mounts: String) -> [Self] {
    let mounts = mounts.utf8.split(separator: UInt8(ascii: "\n")).compactMap {
      Mount(line: Substring($0))
    }
    return membership.split(separator: "\n").compactMap { line in
      // A path may contain colons.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      let version: Version? =
        fields[1].isEmpty ? .two : fields[1].split(separator: ",").contains("cpu") ? .one : nil
      guard let version, let mount = mounts.first(where: { $0.version == version }) else {
        return nil
      }
      return Self(
        version: version,
        mountPoint: mount.point,
        path: mount.path(of: String(fields[2]))
      )
    }
  }
}

/// A mounted hierarchy of cgroups.
private struct Mount {
  var version: ControlGroup.Version
  /// The cgroup at the mount point.
  var root: String
  var point: String

  /// Parses a line of mountinfo; nil unless it is a hierarchy that may limit processor time.
  init?(line: Substring) {
    let words = line.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    guard let dash = words.firstIndex(of: "-"), dash > 5, words.count > dash + 3 else { return nil }
    switch words[dash + 1] {
    case "cgroup2": version = .two
    case "cgroup" where words[dash + 3].split(separator: ",").contains("cpu"): version = .one
    default: return nil
    }
    root = Self.plain(words[3])
    point = Self.plain(words[4])
  }

  /// The path of a cgroup below the mount point; empty if it is not visible there.
  func path(of group: String) -> String {
    if root == "/" { return group == "/" || group.hasPrefix("/..") ? "" : group }
    return group.hasPrefix(root + "/") ? String(group.dropFirst(root.count)) : ""
  }

  /// Decodes a path in which some bytes are a backslash and three octal digits.
  private static func plain(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
