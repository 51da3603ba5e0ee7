/// Converts a timestamp to a civil date in UTC with Howard Hinnant's algorithm (days_from_civil, inverted). No
/// operating system calendar is used.
extension Timestamp {
    private static let day: Int128 = 86_400

    /// Text such as `2020-06-19 18:53:44 UTC`; in seconds if the date is outside the calendar's range.
    package var utc: String {
        let billion: Int128 = 1_000_000_000
        let seconds = nanoseconds >= 0 ? nanoseconds / billion : -((-nanoseconds + billion - 1) / billion)
        guard abs(seconds) < 10_000 * 366 * Self.day else { return "\(seconds) s since 1970" }
        let days = seconds >= 0 ? seconds / Self.day : -((-seconds + Self.day - 1) / Self.day)
        let (year, month, date) = Self.civil(Int(days))
        let rest = Int(seconds - days * Self.day)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(date)) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) UTC"
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // Days since 1 March of the year 0, in eras of 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
