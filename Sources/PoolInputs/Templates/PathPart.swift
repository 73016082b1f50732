/// A part of a field, named by the signs in the braces of a placeholder.
///
/// Source: the manual of GNU parallel, where `{.}` is `s:\.[^/.]+$::`, `{..}` is
/// `s:\.[^/.]+\.[^/.]+$::`, `{/}` is `s:.*/::`, `{+/}` is the text before the last slash, and
/// `{+.}` the text behind the last dot.
enum PathPart: String, Hashable, CaseIterable, Sendable {
  case whole = ""
  case withoutExtension = "."
  case without2Extensions = ".."
  case without3Extensions = "..."
  case baseName = "/"
  case folder = "//"
  case baseNameWithoutExtension = "/."
  case baseNameWithout2Extensions = "/.."
  case baseNameWithout3Extensions = "/..."
  case lead = "+/"
  case lastExtension = "+."
  case last2Extensions = "+.."
  case last3Extensions = "+..."

  func of(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    switch self {
    case .whole: field
    case .withoutExtension: PathComponents.without(1, of: field)
    case .without2Extensions: PathComponents.without(2, of: field)
    case .without3Extensions: PathComponents.without(3, of: field)
    case .baseName: PathComponents.baseName(field)
    case .folder: PathComponents.folder(field)
    case .baseNameWithoutExtension: PathComponents.without(1, of: PathComponents.baseName(field))
    case .baseNameWithout2Extensions: PathComponents.without(2, of: PathComponents.baseName(field))
    case .baseNameWithout3Extensions: PathComponents.without(3, of: PathComponents.baseName(field))
    case .lead: PathComponents.lead(field)
    case .lastExtension: PathComponents.extensions(1, of: field)
    case .last2Extensions: PathComponents.extensions(2, of: field)
    case .last3Extensions: PathComponents.extensions(3, of: field)
    }
  }
}

/// Parts of paths, as GNU parallel takes them.
///
/// Source: its manual, which defines `{.}` as `s:\.[^/.]+$::`, `{/}` as `s:.*/::` and `{//}` as
/// the `dirname` of Perl's `File::Basename`. Where the input has several lines the slash that
/// counts is the last one, as the manual's words say, and not the last of the first line.
enum PathComponents {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Removes this number of extensions, each a dot and one or more characters without dots and
  /// slashes; removes nothing if there are fewer.
  ///
  /// A name that ends in a dot keeps it; `.profile` becomes empty.
  static func without(_ count: Int, of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    start(ofExtensions: count, of: path).map { path[..<$0] } ?? path
  }

  /// The last extensions without their first dot; empty if there are fewer.
  static func extensions(_ count: Int, of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    start(ofExtensions: count, of: path).map { path[($0 + 1)...] } ?? []
  }

  private static func start(ofExtensions count: Int, of path: ArraySlice<UInt8>) -> Int? {
    var end = path.endIndex
    for _ in 0..<count {
      let rest = path[..<end]
      guard let last = rest.lastIndex(where: { $0 == dot || $0 == slash }), path[last] == dot,
        last + 1 < end
      else { return nil }
      end = last
    }
    return end
  }

  /// The part before the last slash; empty without one.
  static func lead(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: slash).map { path[..<$0] } ?? []
  }

  /// The part after the last slash: empty if the path ends in one.
  static func baseName(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: slash).map { path[($0 + 1)...] } ?? path
  }

  /// The part before the last name, without the slashes between: `.` if there is none.
  static func folder(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let name = withoutTrailingSlashes(path)
    guard let last = name.lastIndex(of: slash) else { return [dot] }
    return name.count == 1 ? name : withoutTrailingSlashes(name[...last])
  }

  /// The path without its last slashes, but never without its first character.
  private static func withoutTrailingSlashes(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = path.lastIndex(where: { $0 != slash }) else { return path.prefix(1) }
    return path[...last]
  }
}
