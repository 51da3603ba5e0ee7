import DeadzoneMetrics
import Testing

@testable import DeadzoneReports

struct PrintedUnitTests {
    @Test(arguments: [
        (Metric.Unit.milliseconds, "9999.999", "ms", "10000"), (.milliseconds, "10000", "s", "10"),
        (.milliseconds, "12345", "s", "12.35"), (.bytes, "9999", "B", "9999"), (.bytes, "10000", "kB", "10"),
        (.bytes, "9999999", "kB", "10000"), (.bytes, "10000000", "MB", "10"), (.bytes, "12345678900", "GB", "12.35"),
        (.joules, "0", "J", "0"), (.joules, "0.5", "mJ", "500"), (.joules, "1", "J", "1"),
        (.ratio, "0.375", "%", "37.5"),
        (.count, "12345", "", "12345"), (.seconds, "123456", "s", "123456"), (.perHour, "0.25", "/h", "0.25"),
    ])
    func aRowHasAUnitThatKeepsItShort(_ unit: Metric.Unit, _ number: String, _ name: String, _ text: String) throws {
        // Broken: a latency is printed as ten or a thousand times its value.
        let parts = number.split(separator: ".")
        let billionths = String(parts.count > 1 ? parts[1] : "")
        let padding = String(repeating: "0", count: 9 - billionths.count)
        let value = Billionths(count: try #require(Int128("\(parts[0])\(billionths)\(padding)")))
        let printed = PrintedUnit(unit, for: value)
        #expect(printed.name == name && printed.text(value) == text, "\(printed.text(value)) \(printed.name)")
    }
}
