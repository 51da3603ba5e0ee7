/// Round numbers near a number, as people write them.
package enum RoundNumbers {
    /// The multiple of a power of ten that is nearest to a positive number, such as 20 for 17 with the steps 1, 2 and
    /// 5. A number is an integer in the smallest unit of the setting.
    package static func nearest(to number: Int64, steps: [Int64]) -> Int64 {
        var best: Int64?
        var power: Int64 = 1
        while power <= number, power <= Int64.max / 1_000 {
            for step in steps + [10] {
                let candidate = step * power
                if best.map({ (candidate - number).magnitude < ($0 - number).magnitude }) ?? true { best = candidate }
            }
            power *= 10
        }
        return best ?? number
    }

    /// The number with only this many significant digits.
    package static func digits(_ count: Int, of number: Int64) -> Int64 {
        var (unit, limit): (Int64, Int64) = (1, 1)
        for _ in 0..<count { limit *= 10 }
        while number / unit >= limit { unit *= 10 }
        return nearestMultiple(of: unit, to: number)
    }

    /// The nearest multiple of a unit, at least one.
    package static func nearestMultiple(of unit: Int64, to number: Int64) -> Int64 {
        max(1, number / unit + (number % unit >= unit - unit / 2 ? 1 : 0)) * unit
    }

    private static let second: Int64 = 1_000_000_000

    /// Durations near a duration in nanoseconds, the roundest first: 1, 2, 5, 10, 15, 20, 30 or 45 of a unit, then
    /// integers with at most two digits. Units are hours, minutes, seconds, and powers of ten of them below a
    /// second.
    package static func spans(near nanoseconds: Int64) -> [Int64] {
        guard nanoseconds > 0 else { return [] }
        if nanoseconds < second {
            return unique([nearest(to: nanoseconds, steps: [1, 2, 5]), digits(2, of: nanoseconds)])
        }
        let (minute, hour) = (60 * second, 3_600 * second)
        let unit = nanoseconds < minute ? second : nanoseconds < hour ? minute : hour
        let clock: [Int64] = unit == hour ? [1, 2, 3, 4, 6, 8, 12, 24] : [1, 2, 3, 4, 5, 10, 15, 20, 30, 45, 60]
        let isLong = nanoseconds > 36 * hour
        let roundest =
            isLong
            ? nearest(to: nanoseconds / hour, steps: [1, 2, 5]) * hour
            : clock.map { $0 * unit }.min { ($0 - nanoseconds).magnitude < ($1 - nanoseconds).magnitude }
        // Halves and sixths of a unit, such as 90s and 80s, are still values that people write.
        let isShort = nanoseconds < 10 * unit
        let finer = isShort && unit == second ? [unit / 2, unit / 10] : isShort ? [unit / 2, unit / 6] : []
        return unique([roundest ?? nanoseconds] + ([unit] + finer).map { nearestMultiple(of: $0, to: nanoseconds) })
    }

    /// Plain numbers near a number, the roundest first: 1, 2 or 5 times a power of ten, then one digit, then two.
    package static func plain(near number: Int64) -> [Int64] {
        guard number > 0 else { return [] }
        return unique([nearest(to: number, steps: [1, 2, 5]), digits(1, of: number), digits(2, of: number)])
    }

    private static func unique(_ numbers: [Int64]) -> [Int64] {
        numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
