import DeadzoneBase
import DeadzoneTransport
import Testing

@testable import DeadzoneScenarios

/// The numbers of the links with names, stated a second time.
@Suite struct LinkPresetTests {
    /// Name, one-way delay up in milliseconds, delay down, bits per second up and down.
    private static let links: [(String, ClosedRange<Int64>, Int64, Int64, Int64)] = [
        ("wifi", 10...10, 10, 20_000_000, 50_000_000), ("lte", 35...35, 35, 10_000_000, 20_000_000),
        ("nr", 20...20, 20, 20_000_000, 100_000_000), ("nr-mid", 34...34, 34, 36_000_000, 317_000_000),
        ("umts", 75...75, 75, 1_000_000, 3_000_000), ("bluetooth", 75...75, 75, 400_000, 400_000),
        ("ethernet", 5...5, 5, 100_000_000, 500_000_000), ("perfect", 1...1, 1, 1_000_000_000, 1_000_000_000),
        ("wpt-cable", 14...14, 14, 1_000_000, 5_000_000), ("wpt-dsl", 25...25, 25, 384_000, 1_500_000),
        ("wpt-fios", 2...2, 2, 5_000_000, 20_000_000), ("wpt-dial", 60...60, 60, 30_000, 49_000),
        ("wpt-3g", 150...150, 150, 768_000, 1_600_000), ("wpt-3g-fast", 75...75, 75, 768_000, 1_600_000),
        ("wpt-3g-slow", 100...100, 100, 330_000, 780_000), ("wpt-edge", 420...420, 420, 200_000, 240_000),
        ("wpt-2g", 650...650, 650, 32_000, 35_000), ("emulator-gsm", 1...1, 1, 14_400, 14_400),
        ("emulator-hscsd", 1...1, 1, 14_400, 43_200), ("emulator-gprs", 150...550, 1, 40_000, 80_000),
        ("emulator-edge", 80...400, 1, 118_400, 236_800), ("emulator-umts", 35...200, 1, 128_000, 1_920_000),
        ("emulator-hsdpa", 1...1, 1, 348_000, 14_400_000),
    ]

    /// Broken: `links: {cellular: emulator-gprs}` has another delay or rate than the tool, or loses packets.
    @Test func everyNamedLinkHasItsNumbers() {
        #expect(LinkPreset.all.map(\.name) == Self.links.map(\.0))
        for (preset, (name, up, down, rateUp, rateDown)) in zip(LinkPreset.all, Self.links) {
            let profile = preset.sketch.profile
            let ends = [profile.up, profile.down].map { [$0.delay.draw(0), $0.delay.draw(.max)] }
            #expect(
                ends == [[up.lowerBound, up.upperBound], [down, down]].map { $0.map { $0 * 1_000_000 } }, "\(name)")
            #expect(profile.up.floor == .milliseconds(up.lowerBound), "\(name)")
            #expect(profile.down.floor == .milliseconds(down), "\(name)")
            #expect([profile.up.bitsPerSecond, profile.down.bitsPerSecond] == [rateUp, rateDown], "\(name)")
            for way in [profile.up, profile.down] {
                #expect(way.loss == .independent(.zero) && way.trace == nil && way.queue == nil, "\(name)")
            }
        }
    }

    /// Broken: the schema and the help of `sample` report a fault, though there is no file yet.
    @Test func aDescriptionHasNoFaults() throws {
        var describing = SettingsReader.describing("`sample`")
        _ = MatrixSample(reading: &describing)
        #expect(describing.faults.isEmpty)
        for (text, count) in [("{}", 1), ("{cells: 4}", 0), ("{runs: 4}", 0), ("{cells: 4, runs: 4}", 1)] {
            let node = try #require(compose(Array(text.utf8)).node)
            var reader = SettingsReader(node, of: "`sample`")
            _ = MatrixSample(reading: &reader)
            #expect(reader.faults.count == count, "\(text)")
        }
    }

    /// Broken: the remark of a link names other numbers than it has.
    @Test func remarksNameTheNumbers() {
        let texts = Dictionary(uniqueKeysWithValues: LinkPreset.all.map { ($0.name, $0.about) })
        #expect(texts["wpt-2g"] == "WebPageTest: round trip 1300 ms, 32kbps up, 35kbps down")
        #expect(texts["wpt-cable"] == "WebPageTest: round trip 28 ms, 1Mbps up, 5Mbps down")
        #expect(texts["emulator-gsm"] == "Android emulator: delay none, 14400bps up, 14400bps down")
        #expect(texts["emulator-gprs"] == "Android emulator: delay 150 to 550 ms, 40kbps up, 80kbps down")
    }

    /// Broken: a scenario without `links` has another link than that of its network, or the measured round trip of a
    /// radio is not halved, or applies to Wi-Fi.
    @Test func everyInterfaceHasItsUsualLink() {
        let expected: [(Interface, Int64, Int64)] = [
            (.wifi, 10, 20_000_000), (.cellular, 31, 10_000_000), (.bluetooth, 75, 400_000),
            (.sim2, 31, 10_000_000), (.ethernet, 5, 100_000_000),
        ]
        for (interface, delay, rate) in expected {
            let measured = LinkPreset.usual(interface, roundTrip: .milliseconds(62)).profile
            #expect([measured.up, measured.down].map { $0.delay.draw(0) } == [delay * 1_000_000, delay * 1_000_000])
            #expect(measured.up.bitsPerSecond == rate, "\(interface)")
            let plain = LinkPreset.usual(interface, roundTrip: nil).profile
            let usual = interface.isCellular ? 35 : delay
            #expect([plain.up, plain.down].map { $0.delay.draw(0) } == [usual * 1_000_000, usual * 1_000_000])
        }
    }
}
