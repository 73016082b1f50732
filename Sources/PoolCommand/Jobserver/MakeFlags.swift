import PoolText

/// The words of the variable `MAKEFLAGS` that concern a jobserver, and whether make executes
/// anything.
///
/// GNU make, and programs like it, say there where the tokens are. Other words are ignored.
struct MakeFlags: Hashable {
  /// What a make that executes no recipe does instead.
  enum Rehearsal: UInt8, Hashable, Sendable, CaseIterable {
    /// `-n`: it prints the recipes.
    case print
    /// `-q`: its exit code tells whether anything would be executed.
    case ask
    /// `-t`: it marks targets as made.
    case touch

    fileprivate var letter: UInt8 {
      switch self {
      case .print: UInt8(ascii: "n")
      case .ask: UInt8(ascii: "q")
      case .touch: UInt8(ascii: "t")
      }
    }
  }

  /// Nil if make executes recipes.
  var rehearsal: Rehearsal? {
    // The first word has the letters of options without arguments.
    guard let letters = rest.first, letters.first != UInt8(ascii: "-"),
      !letters.contains(UInt8(ascii: "="))
    else { return nil }
    return Rehearsal.allCases.first { letters.contains($0.letter) }
  }

  /// Where the tokens of a jobserver are.
  enum Address: Hashable, Sendable {
    case pipe(read: Int32, write: Int32)
    case fifo([UInt8])

    /// Whether one of the descriptors has another use in every process.
    var isStandardStream: Bool {
      guard case .pipe(let read, let write) = self else { return false }
      return 0...2 ~= read || 0...2 ~= write
    }
  }

  /// The address in the last word that has one, even if it is invalid; nil if no word has one.
  private(set) var address: Address?
  /// That word; nil without one.
  private(set) var addressWord: [UInt8]?
  /// The number behind `-j`.
  private(set) var jobs: Int?
  /// All other words, and everything from `--` on.
  private let rest: [ArraySlice<UInt8>]
  private let variables: ArraySlice<UInt8>

  private static let blank = UInt8(ascii: " ")
  private static let addressNames = ["--jobserver-auth=", "--jobserver-fds="].map { Array($0.utf8) }

  init(_ text: [UInt8]) {
    // Words behind `--` are variables, whose values can be anything.
    let words = text.split(separator: Self.blank, omittingEmptySubsequences: false)
    let end = words.first { $0.elementsEqual("--".utf8) }?.startIndex ?? text.count
    variables = text[end...]
    var rest: [ArraySlice<UInt8>] = []
    for word in words where word.endIndex <= end {
      if let name = Self.addressNames.first(where: { word.starts(with: $0) }) {
        addressWord = Array(word)
        address = Address(word.dropFirst(name.count))
      } else if word.starts(with: Array("-j".utf8)) {
        jobs = DecimalParser.integer(word.dropFirst(2)).flatMap { $0 > 0 ? $0 : nil }
      } else {
        rest.append(word)
      }
    }
    self.rest = rest
  }

  /// The text with another jobserver, for that many jobs, in place of any other.
  ///
  /// It has both names, because make up to version 4.1 knows only the older one. The first word is
  /// empty if there are no option letters.
  func naming(read: Int32, write: Int32, jobs: Int) -> [UInt8] {
    let address = "\(read),\(write)"
    let own = "-j\(jobs) --jobserver-fds=\(address) --jobserver-auth=\(address)"
    var words = rest.filter { !$0.isEmpty }.map(Array.init)
    if words.isEmpty || rest.first?.isEmpty == true { words.insert([], at: 0) }
    words.append(Array(own.utf8))
    if !variables.isEmpty { words.append(Array(variables)) }
    return Array(words.joined(separator: [Self.blank]))
  }
}

extension MakeFlags.Address {
  /// Parses `R,W` or `fifo:PATH`; nil for other text.
  fileprivate init?(_ text: ArraySlice<UInt8>) {
    let mark = Array("fifo:".utf8)
    if text.starts(with: mark) {
      guard text.count > mark.count else { return nil }
      self = .fifo(Array(text.dropFirst(mark.count)))
      return
    }
    let numbers = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { DecimalParser.integer($0).flatMap { Int32(exactly: $0) } }
    guard numbers.count == 2, let read = numbers[0], let write = numbers[1] else { return nil }
    self = .pipe(read: read, write: write)
  }
}
