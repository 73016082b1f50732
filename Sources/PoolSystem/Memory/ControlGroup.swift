/// A cgroup of a process that may limit its processor time, its memory and its number of processes:
/// in version 2 one for all, in version 1 one for each.
package struct ControlGroup: Hashable, Sendable {
  /// The version of the interface, which determines the names of the files.
  package enum Version: Sendable {
    case one, two
  }

  /// What is limited, by its name in version 1.
  package enum Controller: String, Sendable, CaseIterable {
    case processors = "cpu"
    case memory
    case processes = "pids"
  }

  package var version: Version
  /// What it limits.
  package var controllers: Set<Controller>
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

  /// The cgroups of this process that limit something.
  static func own(limiting controller: Controller) -> [Self] {
    own.filter { $0.controllers.contains(controller) }
  }

  /// The name of the file with the limit of memory.
  package var memoryLimitFile: String {
    version == .two ? "memory.max" : "memory.limit_in_bytes"
  }

  /// The lowest limit of this process's cgroups and of those around them; nil if none limits
  /// anything.
  static func lowestLimit(of controller: Controller, _ file: (Self) -> String) -> Int? {
    own(limiting: controller).compactMap { $0.lowestLimit(file($0)) }.min()
  }

  /// The lowest number in the files of this name, of the cgroup and of those around it.
  package func lowestLimit(_ file: String) -> Int? {
    folders.compactMap { SystemFile.read("\($0)/\(file)").flatMap { Self.limit(in: $0) } }.min()
  }

  /// The number in the text of a limit; nil for none: `max`, or in version 1 the highest number of
  /// pages.
  package static func limit(in text: String) -> Int? {
    guard let limit = Int(text.prefix { $0.isNumber }), limit < (Int.max >> 16) << 16 else {
      return nil
    }
    return limit
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
      let version: Version = fields[1].isEmpty ? .two : .one
      let controllers = version == .two ? Set(Controller.allCases) : Self.controllers(in: fields[1])
      let mount = mounts.first {
        $0.version == version && (version == .two || $0.controllers == controllers)
      }
      guard !controllers.isEmpty, let mount else { return nil }
      return Self(
        version: version,
        controllers: controllers,
        mountPoint: mount.point,
        path: mount.path(of: String(fields[2]))
      )
    }
  }
}

extension ControlGroup {
  /// The controllers in a list with commas.
  fileprivate static func controllers(in list: Substring) -> Set<Controller> {
    Set(list.split(separator: ",").compactMap { Controller(rawValue: String($0)) })
  }
}

/// A mounted hierarchy of cgroups.
private struct Mount {
  var version: ControlGroup.Version
  /// What a hierarchy of version 1 limits.
  var controllers: Set<ControlGroup.Controller> = []
  /// The cgroup at the mount point.
  var root: String
  var point: String

  /// Parses a line of mountinfo; nil unless it is a hierarchy that may limit something.
  init?(line: Substring) {
    let words = line.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    guard let dash = words.firstIndex(of: "-"), dash > 5, words.count > dash + 3 else { return nil }
    switch words[dash + 1] {
    case "cgroup2": version = .two
    case "cgroup":
      version = .one
      controllers = ControlGroup.controllers(in: words[dash + 3])
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
