import PoolSystem
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: columns are what GNU parallel's `--colsep` makes of an input.
@Suite("Columns")
struct ColumnTests {
  private func columns(_ input: String, by separator: String) throws -> [String] {
    try ColumnSplitter(bytes(separator)).columns(of: bytes(input)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(
    "A text is cut at each match, and columns lose the blanks around them",
    arguments: [
      ("a,b", ",", "a|b"), ("a,,b,", ",", "a||b|"), ("", ",", ""), (",", ",", "|"),
      (" a , b\r", ",", "a|b"), ("a\tb c", "\\t", "a|b c"), ("a||b", "\\|", "a||b"),
      ("a.b", "\\.", "a|b"), ("axb", "\\x78", "a|b"), ("a  b   c", " +", "a|b|c"),
      ("a \t b", "\\s+", "a|b"), ("a,b;c", "[,;]", "a|b|c"), ("a\tb,c", "[\\t,]", "a|b|c"),
      ("a b,c", "[\\s,]", "a|b|c"), ("a1b22c", "\\d+", "a|b|c"), ("a--b", "--", "a|b"),
      ("a]b", "[]]", "a|b"), ("a b,c", "[[:space:]\\,]", "a|b|c"), ("a1b", "\\D", "|1|"),
      ("é,ü", ",", "é|ü"), ("a§b", "§", "a|b"), ("a\\b", "\\\\", "a|b"), ("a+b", "\\x2b", "a|b"),
      ("a.b", ".", "|||"), ("xaby", "ab|b", "x|y"), ("aab", "^a", "|ab"),
      ("aab,ac", "(^|,)a", "|ab|c"), ("a—b–c", "(—|–)", "a|b|c"),
    ] as [(String, String, String)]
  )
  func splits(input: String, separator: String, expected: String) throws {
    let wanted = expected.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    #expect(try columns(input, by: separator) == wanted)
  }

  @Test(
    "A wrong expression is refused with its reason",
    arguments: [
      ("", "it is empty"), ("a\\", "it ends in a backslash"), ("\\q", "'\\q' is not known here"),
      ("[\\S]", "'\\S' is not known in brackets"), ("[\\]]", "'\\]' is not known in brackets"),
      ("\\0", "no input contains a NUL"), ("a*", "it matches an empty text"),
      ("\\x2", "'\\x' is not known here"),
      ("[,—]", "brackets can hold only ASCII; (a|b) has other characters"),
      ("[\\xe2]", "brackets can hold only ASCII; (a|b) has other characters"),
    ]
  )
  func refusals(separator: String, reason: String) {
    #expect(throws: PatternError(reason: reason)) { try ColumnSplitter(bytes(separator)) }
    #expect(throws: PatternError.self) { try ColumnSplitter(bytes("(" + separator)) }
  }

  private func names(_ headers: [String]...) throws -> ColumnNames {
    try ColumnNames(headers: headers.map { $0.map(bytes) })
  }

  private func expand(_ word: String, _ names: ColumnNames, _ fields: String...) throws -> String {
    var layout = FieldLayout(count: nil)
    layout.names = names
    let template = try Template(command: ["e", word].map(bytes), fields: layout)
    return CommandLabel.text(
      template.command(TemplateInput(fields.map(bytes), number: 1)).action
    )
  }

  @Test("A name is a placeholder for its column, and for parts of it")
  func names() throws {
    let header = try names(["file", "size"], ["my host"])
    #expect(try expand("{file}-{size}-{my host}", header, "a/b.c", "2", "h") == "e a/b.c-2-h")
    #expect(try expand("{file/.}+{file//}+{file.}", header, "a/b.c", "2") == "e b+a+a/b")
    #expect(try expand("{3}{ other }", header, "a", "2", "h") == "e 'h{ other }'")
    #expect(try expand("${other}{other,}{}", header, "a") == "e '${other}{other,}a'")
    let error = #expect(throws: UsageError.self) { try expand("a{other}", header, "a") }
    #expect(error?.message == "no column has this name")
    // A name that ends like a part is itself.
    #expect(try expand("{a.}{a}", names(["a", "a."]), "x.y", "z") == "e zx.y")
  }

  @Test("A name that is a placeholder, or not unique, is refused where it matters")
  func badNames() throws {
    for name in ["1", "#", ".", "/.", "-2", "1/", "=x"] {
      let error = #expect(throws: UsageError.self) { try names(["a", name]) }
      #expect(error?.message == "a column has the name of a placeholder")
    }
    let twice = try names(["a", "b", "", ""], ["a"])
    #expect(try expand("{b}", twice, "1", "2") == "e 2")
    let error = #expect(throws: UsageError.self) { try expand("{a}", twice, "1") }
    #expect(error?.message == "more than one column has this name")
  }
}
