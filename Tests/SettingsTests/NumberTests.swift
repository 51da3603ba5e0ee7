import DeadzoneBase
import Testing

private func read<Value>(_ text: String, _ form: ValueFormat<Value>) -> (value: Value?, code: String) {
    var faults = Faults()
    let value = form.read(Node(.scalar(text, quoted: false), at: SourceMark(line: 1, column: 1)), &faults)
    return (value, faults.sorted.first?.code.rawValue ?? "")
}

/// Text, the kind of quantity, and the value in base units.
private let quantities: [(String, QuantityKind, Int64)] = [
    ("1ns", .span, 1), ("1us", .span, 1_000), ("1µs", .span, 1_000), ("1μs", .span, 1_000), ("1ms", .span, 1_000_000),
    ("1s", .span, 1_000_000_000), ("1m", .span, 60_000_000_000), ("1min", .span, 60_000_000_000),
    ("1h", .span, 3_600_000_000_000), ("1d", .span, 86_400_000_000_000), ("0.5s", .span, 500_000_000),
    ("1h30m", .span, 5_400_000_000_000), ("1m 30s", .span, 90_000_000_000), ("45 s", .span, 45_000_000_000),
    ("0s", .span, 0), ("+2s", .span, 2_000_000_000), ("1e3ms", .span, 1_000_000_000), ("2.5e-1s", .span, 250_000_000),
    ("0.000000001s", .span, 1), ("9223372036854775807ns", .span, .max), ("010s", .span, 10_000_000_000),
    ("0.1ms", .span, 100_000), ("1.000000000000000000s", .span, 1_000_000_000), ("1B", .size, 1),
    ("1KiB", .size, 1_024),
    ("1kB", .size, 1_000), ("1.5KiB", .size, 1_536), ("1MiB", .size, 1 << 20), ("1MB", .size, 1_000_000),
    ("1GiB", .size, 1 << 30), ("1GB", .size, 1_000_000_000), ("1210mW", .power, 1_210_000),
    ("1.21W", .power, 1_210_000),
    ("1uW", .power, 1), ("438.39mW/Mbps", .bitCost, 438_390_000), ("14.55nJ/bit", .bitCost, 14_550_000),
    ("0.000001mW/Mbps", .bitCost, 1), ("10Mbps", .rate, 10_000_000), ("0.5kbit/s", .rate, 500),
    ("1Gbps", .rate, 1_000_000_000),
    ("15.4Wh", .energy, 55_440_000_000), ("1J", .energy, 1_000_000), ("2.5kJ", .energy, 2_500_000_000),
    ("4300mAh", .charge, 4_300_000),
    ("3.85V", .voltage, 3_850),
]

@Test(arguments: quantities.indices)
func aQuantityIsExactAndReadsBack(_ index: Int) {
    // Broken if a unit has another value, a decimal is rounded, or the canonical text is another number.
    let (text, measure, expected) = quantities[index]
    let (value, code) = read(text, ValueFormat<Int64>.quantity(measure))
    #expect(value == expected, "\(text): \(code)")
    #expect(
        read(measure.text(expected), ValueFormat<Int64>.quantity(measure)).value == expected,
        "\(measure.text(expected))")
}

@Test(arguments: [
    ("45", "E0105"), ("0", "E0105"), ("45x", "E0107"), ("45S", "E0107"), ("1MS", "E0107"), ("45sec", "E0107"),
    ("-1s", "E0108"), ("1:30", "E0112"),
    ("1:30:00", "E0112"), ("0x10", "E0113"), ("010", "E0113"), ("nan", "E0114"), ("-.inf", "E0114"), ("+inf", "E0114"),
    ("1e400s", "E0108"), ("1e19s", "E0108"),
    ("9223372036854775808ns", "E0108"), ("107000d", "E0108"), ("0.1ns", "E0109"), ("1e-400s", "E0109"),
    ("0.0000000000000000001s", "E0109"),
    ("1.2345678901234567890s", "E0109"), ("", "E0103"), ("s", "E0106"), (".5s", "E0106"), ("5.s", "E0106"),
    ("1..5s", "E0106"), ("1,5s", "E0107"),
    ("1s30m", "E0106"), ("1m1m", "E0106"), ("1h-1m", "E0106"), ("1s ", "ok"), ("--1s", "E0106"), ("１s", "E0106"),
    ("1_000ms", "E0107"), ("1e5", "E0105"),
    ("~", "E0103"), ("null", "E0103"), ("true", "E0106"), ("1s,", "E0107"),
])
func invalidDurationsAreRefusedWithTheirReason(_ text: String, _ expected: String) {
    // Broken if a trap of YAML or a typing error is read as some duration, or reported with another reason.
    let (value, code) = read(text, .span())
    #expect(expected == "ok" ? value == .seconds(1) : code == expected && value == nil)
}

@Test(arguments: [
    ("0", 0), ("12", 12), ("1e3", 1_000), ("1.0", 1), ("9223372036854775807", Int64.max), ("+7", 7),
])
func aCountIsAPlainNumber(_ text: String, _ expected: Int64) {
    // Broken if a plain whole number is read as another number.
    #expect(read(text, ValueFormat<Int64>.count()).value == expected)
}

@Test(
    arguments: [
        ("0", 0, 1), ("1", 1, 1), ("0%", 0, 1), ("100%", 1, 1), ("2%", 1, 50), ("0.02", 1, 50), ("0.5%", 1, 200),
        ("1e-9", 1, 1_000_000_000),
        ("99.9999%", 999_999, 1_000_000),
    ] as [(String, UInt64, UInt64)])
func aProbabilityIsAShareOrAPercentage(_ text: String, _ parts: UInt64, _ whole: UInt64) {
    // Broken if 2% is not exactly 0.02.
    #expect(read(text, ValueFormat<Probability>.probability).value == Probability(parts, of: whole))
}

@Test(arguments: ["1.000000001", "101%", "-1%", "-0.1", "nan", "1e9", "2", "100.0000001%", "%", "1%%", "half", "1e-19"])
func invalidProbabilitiesAreRefused(_ text: String) {
    // Broken if a probability above one or below zero is accepted.
    #expect(read(text, ValueFormat<Probability>.probability).value == nil)
}

@Test func theTextOfAProbabilityIsThatProbability() {
    // Broken if `--print-resolved` or a hash depends on how often a probability was written and read.
    for places in 0...6 {
        var whole: UInt64 = 1
        for _ in 0..<places { whole *= 10 }
        for parts in stride(from: 0, through: whole, by: max(1, Int(whole / 997))) {
            let probability = Probability(parts, of: whole)
            let text = flowText(ValueFormat<Probability>.probability.write(probability))
            #expect(read(text, ValueFormat<Probability>.probability).value == probability)
            #expect(text.utf8.count <= places + 2)
        }
    }
}

@Test(
    arguments: [
        ("true", true), ("false", false), ("yes", nil), ("no", nil), ("on", nil), ("off", nil), ("True", nil),
        ("1", nil), ("y", nil), ("", nil),
    ] as [(String, Bool?)])
func onlyTrueAndFalseAreBooleans(_ text: String, _ expected: Bool?) {
    // Broken if a word that two versions of YAML read differently is accepted as a Boolean.
    #expect(read(text, .flag).value == expected)
}

/// Every probability law, as text and as the parsed value.
private let laws: [(String, Distribution)] = [
    ("20ms", .constant(20_000_000)), ("{uniform: [1ms, 3ms]}", .uniform(1_000_000, 3_000_000)),
    ("{exponential: 20s}", .exponential(mean: 20_000_000_000)),
    ("{normal: {deviation: 1ms, mean: 5ms}}", .normal(mean: 5_000_000, deviation: 1_000_000)),
    ("{lognormal: {median: 45ms, sigma: 0.3}}", .logNormal(median: 45_000_000, sigmaPPM: 300_000)),
    ("{pareto: {scale: 1s, shape: 1.5}}", .pareto(scale: 1_000_000_000, shapePPM: 1_500_000)),
    (
        "{table: [[0, 1ms], [0.5, 2ms], [1, 9ms]]}",
        .table([Quantile(.zero, 1_000_000), Quantile(ppm: 500_000, 2_000_000), Quantile(.one, 9_000_000)])
    ),
]

@Test func everyLawIsWrittenAsItWasRead() {
    // Broken if the canonical text of a distribution is another distribution.
    for (text, distribution) in laws {
        #expect(flowText(ValueFormat<Distribution>.distribution(.span).write(distribution)) == text)
    }
}

@Test(arguments: [
    ("400", QuantityKind.size, "400B"), ("2.5", .size, "2.5KiB"), ("14", .span, "14s"),
    ("30000", .span, "30000s or 30000ms"), ("1h30", .span, "1h30m"), ("1m30", .span, "1m30s"), ("20", .rate, "20Mbps"),
    ("5000000", .rate, "5000000bps"), ("350", .power, "350mW"), ("15.4", .energy, "15.4Wh"),
])
func aBareNumberGetsAPlausibleUnit(_ text: String, _ kind: QuantityKind, _ expected: String) {
    // Broken: a message of 400 bytes is advised to be 400KiB, a rate in bits per second to be one in Mbps, or 1h30 to
    // be 1h30s.
    var faults = Faults()
    _ = ValueFormat<Int64>.quantity(kind).read(.text(text), &faults)
    #expect(faults.sorted.map(\.label) == ["write \(expected)"])
}
