/// Points in time as people read them.
enum CivilTime {
  /// A date with its time to a second: `2026-11-28 19:00:53 UTC`.
  static func text(nanosecondsFrom1970 time: Int64) -> String {
    let seconds = time / 1_000_000_000
    let (day, rest) = (seconds / 86_400, seconds % 86_400)
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    return "\(date(daysFrom1970: day)) \(pad(hour)):\(pad(minute)):\(pad(second)) UTC"
  }

  /// Counts days from 0000-03-01, so that leap days come last in a year.
  private static func date(daysFrom1970 days: Int64) -> String {
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(pad(month))-\(pad(day))"
  }

  private static func pad(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
