import PoolText

/// The load average below which operations start, as it is written behind `--load`.
package enum LoadLimit: Hashable, Sendable {
  case load(Double)
  /// So many per cent of the cores.
  case percent(Double)
  /// The number of cores, plus this number.
  case above(Double)

  /// Parses `4.5`, `80%` or `+1`; nil for other text, and for a load of zero.
  package init?(_ text: [UInt8]) {
    let isAbove = text.first == UInt8(ascii: "+")
    let isPercentage = text.last == UInt8(ascii: "%")
    let digits = text.dropFirst(isAbove ? 1 : 0).dropLast(isPercentage ? 1 : 0)
    guard !(isAbove && isPercentage), let number = DecimalParser.double(digits), number >= 0,
      number > 0 || isAbove, number <= 1_000_000
    else { return nil }
    self = isAbove ? .above(number) : isPercentage ? .percent(number) : .load(number)
  }

  /// The load average on a machine with this number of cores.
  package func value(cores: Int) -> Double {
    switch self {
    case .load(let load): load
    case .percent(let percent): Double(cores) * percent / 100
    case .above(let number): Double(cores) + number
    }
  }
}
