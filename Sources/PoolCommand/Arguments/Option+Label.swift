import PoolInputs

extension Option {
  /// The spelling in the help; without a letter, its place is blank.
  func label(in topic: HelpTopic) -> String {
    let letter = letter(in: topic)
    let short = letter.map { "-\($0)" } ?? "  "
    let long = name.map { (letter == nil ? "  --" : ", --") + $0 } ?? ""
    return short + long + valueLabel
  }
}
