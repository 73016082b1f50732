/// A placeholder for an input, or a part of it, in a command; as in GNU parallel.
package enum Placeholder: Hashable, Sendable, CaseIterable {
  case input
  case withoutExtension
  case baseName
  case folder
  case baseNameWithoutExtension
  case number

  /// Its text in a command.
  var spelling: String {
    switch self {
    case .input: "{}"
    case .withoutExtension: "{.}"
    case .baseName: "{/}"
    case .folder: "{//}"
    case .baseNameWithoutExtension: "{/.}"
    case .number: "{#}"
    }
  }

  private static let spellings = allCases.map { (placeholder: $0, bytes: Array($0.spelling.utf8)) }

  /// The placeholder at the start of these bytes, and its length.
  static func match(_ bytes: ArraySlice<UInt8>) -> (placeholder: Self, count: Int)? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    for spelling in spellings where bytes.starts(with: spelling.bytes) {
      return (spelling.placeholder, spelling.bytes.count)
    }
    return nil
  }

  /// Its value for an input and the input's number.
  func value(_ input: [UInt8], number: Int) -> ArraySlice<UInt8> {
    switch self {
    case .input: input[...]
    case .withoutExtension: PathText.withoutExtension(input[...])
    case .baseName: PathText.baseName(input)
    case .folder: PathText.folder(input)
    case .baseNameWithoutExtension: PathText.withoutExtension(PathText.baseName(input))
    case .number: Array(String(number).utf8)[...]
    }
  }
}

/// Parts of paths, as GNU parallel takes them.
///
/// Source: its manual, which defines `{.}` as `s:\.[^/.]+$::`, `{/}` as `s:.*/::` and `{//}` as
/// the `dirname` of Perl's `File::Basename`. Where the input has several lines the slash that
/// counts is the last one, as the manual's words say, and not the last of the first line.
enum PathText {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Removes the extension: a final dot and one or more characters without dots and slashes.
  ///
  /// A name that ends in a dot keeps it; `.profile` becomes empty.
  static func withoutExtension(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = path.lastIndex(where: { $0 == dot || $0 == slash }), path[last] == dot,
      last + 1 < path.endIndex
    else { return path }
    return path[..<last]
  }

  /// The part after the last slash: empty if the path ends in one.
  static func baseName(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path.lastIndex(of: slash).map { path[($0 + 1)...] } ?? path[...]
  }

  /// The part before the last name, without the slashes between: `.` if there is none.
  static func folder(_ path: [UInt8]) -> ArraySlice<UInt8> {
    let name = withoutTrailingSlashes(path[...])
    guard let last = name.lastIndex(of: slash) else { return [dot] }
    return name.count == 1 ? name : withoutTrailingSlashes(name[...last])
  }

  /// The path without its last slashes, but never without its first character.
  private static func withoutTrailingSlashes(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = path.lastIndex(where: { $0 != slash }) else { return path.prefix(1) }
    return path[...last]
  }
}
