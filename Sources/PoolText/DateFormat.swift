/// Dates as people read them, in UTC, without a calendar of the system.
package enum DateFormat {
  /// A date and time: `2026-11-28 18:59:13 UTC`; the argument counts nanoseconds from 1970.
  package static func utc(_ nanoseconds: Int64) -> String {
    let (days, second) = quotient(quotient(nanoseconds, 1_000_000_000).0, 86_400)
    let (year, month, day) = date(days: days)
    let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits)
    return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(time.joined(separator: ":")) UTC"
  }

  /// The Gregorian date so many days after 1970-01-01, as in Howard Hinnant's "chrono-Compatible
  /// Low-Level Date Algorithms": years begin in March, and eras of 400 years are all the same.
  static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = quotient(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The quotient rounded down, and the rest, which is not negative.
  private static func quotient(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
