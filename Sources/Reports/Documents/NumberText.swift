package import DeadzoneMetrics

/// Formats numbers for people, with four significant digits and a unit that keeps them short. All arithmetic is on
/// integers, so the text does not depend on locale or on a second rounding.
package enum NumberText {
    /// Rounds half up to four significant digits; whole numbers keep all their digits.
    package static func short(_ value: Billionths) -> String {
        let magnitude = value.count.magnitude
        var places = 0
        if magnitude % 1_000_000_000 != 0 {
            places = 3
            var limit: UInt128 = 10_000_000_000
            while places > 0 && magnitude >= limit {
                places -= 1
                limit *= 10
            }
            // Below one, zeros after the point are not significant.
            limit = 1_000_000_000
            while places < 9 && magnitude < limit {
                places += 1
                limit /= 10
            }
        }
        return decimal(value, places: places)
    }

    /// Rounds half up to `places` decimal places and drops trailing zeros.
    package static func decimal(_ value: Billionths, places: Int) -> String {
        var step: UInt128 = 1
        for _ in places..<9 { step *= 10 }
        let rounded = (value.count.magnitude + step / 2) / step
        var digits = String(rounded)
        if digits.utf8.count <= places {
            digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
        }
        var whole = String(digits.dropLast(places))
        var fraction = String(digits.suffix(places))
        while fraction.hasSuffix("0") { fraction.removeLast() }
        if !fraction.isEmpty { whole += "." + fraction }
        return (value.count < 0 && rounded != 0 ? "-" : "") + whole
    }

    /// Relative change, such as `-33%`, or `12x` if the new value is at least ten times the old one. `nil` if the old
    /// value is not positive.
    package static func change(from old: Billionths, to new: Billionths) -> String? {
        guard old.count > 0 else { return nil }
        if new.count >= 10 * old.count { return "\((new.count + old.count / 2) / old.count)x" }
        let thousandths = ((new.count - old.count).magnitude * 1_000 + old.count.magnitude / 2) / old.count.magnitude
        let sign = thousandths == 0 ? "" : new.count < old.count ? "-" : "+"
        // A value that is not zero has not dropped by 100%.
        if thousandths >= 995, new.count > 0, new.count < old.count {
            return "-" + decimal(Billionths(count: Int128(min(thousandths, 999)) * 100_000_000), places: 1) + "%"
        }
        let places = thousandths < 100 ? 1 : 0
        return sign + decimal(Billionths(count: Int128(thousandths) * 100_000_000), places: places) + "%"
    }
}

/// The unit in which one table row is printed, chosen so that its largest number stays short.
package struct PrintedUnit: Hashable {
    package let name: String
    /// Size of this unit, in thousandths of the metric's own unit.
    private let thousandths: Int128

    private init(_ name: String, thousandths: Int128 = 1_000) {
        self.name = name
        self.thousandths = thousandths
    }

    package init(_ unit: Metric.Unit, for largest: Billionths) {
        let whole = largest.count / 1_000_000_000
        switch unit {
        case .ratio: self.init("%", thousandths: 10)
        case .count: self.init("")
        case .milliseconds where whole >= 10_000: self.init("s", thousandths: 1_000_000)
        case .bytes where whole >= 10_000_000_000: self.init("GB", thousandths: 1_000_000_000_000)
        case .bytes where whole >= 10_000_000: self.init("MB", thousandths: 1_000_000_000)
        case .bytes where whole >= 10_000: self.init("kB", thousandths: 1_000_000)
        case .joules where largest.count > 0 && whole == 0: self.init("mJ", thousandths: 1)
        default: self.init(unit.rawValue)
        }
    }

    package func text(_ value: Billionths) -> String {
        NumberText.short(Billionths(count: (value.count * 1_000 + thousandths / 2) / thousandths))
    }
}
