import DeadzoneBase

/// Network profiles of well-known throttling tools, under the tools' names.
extension LinkPreset {
    /// catchpoint/WebPageTest www/settings/connectivity.ini.sample: bandwidths, and round trips of which each direction
    /// gets half. None of its profiles has packet loss.
    static let webPageTest: [LinkPreset] = [
        wpt("cable", trip: 28, up: 1_000_000, down: 5_000_000),
        wpt("dsl", trip: 50, up: 384_000, down: 1_500_000),
        wpt("fios", trip: 4, up: 5_000_000, down: 20_000_000),
        wpt("dial", trip: 120, up: 30_000, down: 49_000),
        wpt("3g", trip: 300, up: 768_000, down: 1_600_000),
        wpt("3g-fast", trip: 150, up: 768_000, down: 1_600_000),
        wpt("3g-slow", trip: 200, up: 330_000, down: 780_000),
        wpt("edge", trip: 840, up: 200_000, down: 240_000),
        wpt("2g", trip: 1_300, up: 32_000, down: 35_000),
    ]

    private static func wpt(_ name: String, trip: Int64, up: Int64, down: Int64) -> LinkPreset {
        LinkPreset(
            name: "wpt-\(name)",
            about:
                "WebPageTest: round trip \(trip) ms, \(QuantityKind.rate.text(up)) up, \(QuantityKind.rate.text(down)) down",
            sketch: LinkSketch(milliseconds: trip / 2, up: up, down: down))
    }

    /// Speeds and delays of the Android emulator: platform/external/qemu android/android-constants.c, android-5.1.1_r9.
    /// Its source calls the delays imaginary. Where it has a speed and no delay (gsm, hscsd, hsdpa), the delay of one
    /// millisecond is our assumption. The emulator delays only what the phone sends; the downlink delay of one
    /// millisecond is assumed.
    static let emulator: [LinkPreset] = [
        netspeed("gsm", 1...1, up: 14_400, down: 14_400),
        netspeed("hscsd", 1...1, up: 14_400, down: 43_200),
        netspeed("gprs", 150...550, up: 40_000, down: 80_000),
        netspeed("edge", 80...400, up: 118_400, down: 236_800),
        netspeed("umts", 35...200, up: 128_000, down: 1_920_000),
        netspeed("hsdpa", 1...1, up: 348_000, down: 14_400_000),
    ]

    private static func netspeed(_ name: String, _ delay: ClosedRange<Int64>, up: Int64, down: Int64) -> LinkPreset {
        let way = Distribution.uniform(delay.lowerBound * 1_000_000, delay.upperBound * 1_000_000)
        let span = delay.lowerBound == delay.upperBound ? "none" : "\(delay.lowerBound) to \(delay.upperBound) ms"
        return LinkPreset(
            name: "emulator-\(name)",
            about:
                "Android emulator: delay \(span), \(QuantityKind.rate.text(up)) up, \(QuantityKind.rate.text(down)) down",
            sketch: LinkSketch(up: (way, up), down: (.constant(1_000_000), down)))
    }
}
