import PoolText

/// Which inputs of a command must be plain, because a program could read them as commands.
///
/// An input that is a word, or a part of a word without blanks or signs of a shell, can be
/// anything: such words are names and values. A word with a blank or a sign may be a program, for
/// which every quote around the input is only text. Words of programs that certainly read them so
/// must be plain whatever they look like; see ``WordReader``. If anything in a line evaluates a
/// value that is not known, as `eval $x` does, so must each input of the line that is not the file
/// of a redirection.
struct InputRule: Hashable, Sendable {
  /// What may be put in.
  enum Verdict: Hashable, Sendable {
    case any
    /// Anything, as the user's own program.
    case program(String)
    /// A plain input; the program reads the word, if it is known.
    case plain(String?)

    /// Whether it counts more than the verdict on another use of the same input.
    func isStricter(than other: Self) -> Bool { strictness > other.strictness }

    private var strictness: Int {
      switch self {
      case .any: 0
      case .program: 1
      case .plain: 2
      }
    }
  }

  /// An input that must be plain.
  private struct Demand: Hashable, Sendable {
    var placeholder: Placeholder
    var reader: String?
  }

  private var demands: [Demand] = []
  /// The program that executes a whole input, if there is one.
  private(set) var program: String?

  /// The rule for a command; without a check, all inputs are put in.
  init(_ outline: CommandOutline, _ fields: FieldLayout, isChecked: Bool) {
    let verdicts = outline.verdicts(fields)
    for (placeholder, verdict) in zip(outline.inputs, verdicts) {
      switch verdict {
      case .any: break
      case .program(let name): program = program ?? name
      case .plain(let reader):
        if isChecked { demands.append(Demand(placeholder: placeholder, reader: reader)) }
      }
    }
  }

  /// Whether an input has to be looked at.
  var hasDemands: Bool { !demands.isEmpty }

  /// Why an input is not put in; nil if it is.
  func refusal(of input: TemplateInput) -> String? {
    let demand = demands.first { demand in
      demand.placeholder.values(input).contains { !$0.allSatisfy(Self.isPlain) }
    }
    guard let demand else { return nil }
    let spelling = demand.placeholder.spelling
    let reason =
      demand.reader.map { "'\($0)' could read \(spelling) as a program" }
      ?? "\(spelling) is in a text, which could be a program"
    return """
      \(reason), and the input has more than letters, digits and _ . / : , + @ -; put it behind the \
      text of a shell, as in sh -c '…\"$1\"…' sh {}, or allow any input with --unsafe-nested
      """
  }

  /// Whether a byte is special to no shell, and divides no words.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte < 0x80 && ShellQuoting.isPlain(byte) && !"%=".utf8.contains(byte)
  }
}

extension CommandOutline {
  /// What may be put in for each of the inputs.
  func verdicts(_ fields: FieldLayout) -> [InputRule.Verdict] {
    var verdicts = [InputRule.Verdict](repeating: .any, count: inputs.count)
    for command in commands {
      let judge = WordJudge(command)
      for (position, word) in judge.words.enumerated() {
        for input in word.inputs + word.innerInputs {
          let isList = inputs[input].subject == .all && fields.count != 1
          let verdict = judge.verdict(at: position, isList: isList)
          if verdict.isStricter(than: verdicts[input]) { verdicts[input] = verdict }
        }
      }
    }
    for word in commands.flatMap(\.words) where word.isDuplication {
      for input in word.inputs + word.innerInputs { verdicts[input] = .plain(Self.duplication) }
    }
    if let evaluator {
      let files = Set(commands.flatMap(\.words).filter(\.isFile).flatMap(\.inputs))
      for input in inputs.indices where verdicts[input] == .any && !files.contains(input) {
        verdicts[input] = .plain(evaluator)
      }
    }
    return verdicts
  }
}
