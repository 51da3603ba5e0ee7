import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@testable import DeadzoneScenarios

/// Every number of a radio profile: its effect on the radio, its help, its bounds, and its contradictions.
struct ProfileTableTests {
    private static let search =
        "search-power: 301mW, search-time: 31s, search-rest: 32s, search-longest-rest: 33s, unassociated-power: 34mW, handover-time: 35ms, handover-failure: 0.36, re-establishment-time: 37ms, handover-power: 38mW, base-round-trip: 39ms"
    private static let active =
        "active-power-down: 11mW, active-power-up: 12mW, cost-up: 13mW/Mbps, cost-down: 14mW/Mbps"
    private static let weak =
        "weak-signal-rate-down: 41Mbps, weak-signal-rate-up: 42Mbps, weak-signal-power-down: 43mW, weak-signal-power-up: 44mW, weak-signal-cost-down: 45mW/Mbps, weak-signal-cost-up: 46mW/Mbps"
    private static let lte =
        "promotion-time: 101ms, promotion-power: 102mW, signalling-time: 103ms, inactivity-time: 104ms, short-drx-time: 105ms, short-drx-cycle: 106ms, short-drx-on-time: 7ms, long-drx-cycle: 108ms, long-drx-on-time: 9ms, long-drx-time: 110ms, inactivity-power: 111mW, short-drx-on-power: 112mW, short-drx-off-power: 13mW, long-drx-on-power: 114mW, long-drx-off-power: 15mW, paging-cycle: 116ms, paging-on-power: 117mW, paging-on-time: 18ms, sleep-power: 19mW"

    private static let texts: [(technology: String, text: String)] = [
        ("lte", "\(lte), \(active), \(search), \(weak)"),
        (
            "nr-nsa",
            "\(lte), \(active), \(search), nr-promotion-time: 201ms, nr-promotion-power: 202mW, second-tail-until: 703ms, second-tail-power: 204mW, nr-addition-time: 205ms, nr-release-time: 206ms, fast-dormancy: 600ms"
        ),
        (
            "nr-sa",
            "promotion-time: 101ms, promotion-power: 102mW, inactivity-time: 104ms, tail-time: 120ms, tail-power: 121mW, idle-power: 22mW, paging-cycle: 116ms, inactive-time: 301ms, inactive-power: 302mW, inactive-resume-time: 303ms, \(active)"
        ),
        (
            "umts",
            "idle-to-dch-power: 101mW, fach-to-dch-power: 102mW, dch-power: 103mW, fach-power: 104mW, idle-to-fach-time: 105ms, idle-to-fach-power: 106mW, idle-to-dch-time: 107ms, fach-to-dch-time: 108ms, dch-time: 109ms, fach-time: 110ms, dch-to-fach-time: 111ms, fach-to-idle-time: 112ms, up-idle-limit: 113B, up-fach-limit: 114B, up-drain-time: 115ms, up-drain-per-byte: 116ns, up-drain-per-square-byte: 117ns, down-idle-limit: 118B, down-fach-limit: 119B, down-drain-time: 120ms, down-drain-per-byte: 121ns, down-drain-per-square-byte: 122ns, dch-reset-size: 123B, dch-reset-window: 124ms, paging-cycle: 125ms, idle-power: 126mW, \(active), \(search)"
        ),
        (
            "wifi",
            "promotion-time: 101ms, promotion-power: 102mW, tail-time: 103ms, tail-power: 104mW, beacon-cycle: 105ms, beacon-on-power: 106mW, beacon-on-time: 7ms, sleep-power: 8mW, broadcast-interval: 109ms, broadcast-time: 10ms, high-size: 111B, high-power: 112mW, high-window: 113ms, \(active), \(search)"
        ),
        (
            "lte",
            "promotion-time: 101ms, promotion-power: 102mW, inactivity-time: 104ms, tail-time: 120ms, tail-power: 121mW, idle-power: 22mW, paging-cycle: 116ms, psm-update-interval: 400s, edrx-cycle: 401s, psm-active-time: 42s, psm-update-time: 403ms, psm-power: 4mW, edrx-window: 20s, psm-buffer: 8, \(active)"
        ),
    ]

    private func read(_ technology: String, _ text: String) -> (ParsedProfile?, Faults) {
        let composition = compose(Array("{technology: \(technology), \(text)}".utf8))
        guard let node = composition.node else { return (nil, composition.faults) }
        var settings = SettingsReader(node, of: "profile mine")
        let found = ProfileReader(inheritingFrom: []).read(&settings)
        settings.finish()
        return (found, settings.faults)
    }

    /// The keys of a text with their values.
    private func pairs(_ text: String) -> [(key: String, value: String)] {
        text.split(separator: ", ").map { part in
            let words = part.split(separator: ": ").map(String.init)
            return (words[0], words[1])
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func everyNumberHasItsEffect(_ index: Int) throws {
        // Broken: a number sets another power or timer, or a missing one is not noticed.
        let (technology, text) = Self.texts[index]
        let (found, faults) = read(technology, text)
        let usual = try #require(found, "\(faultLines(faults))")
        let all = pairs(text)
        func joined(_ pairs: [(key: String, value: String)]) -> String {
            pairs.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        }
        let lines = all.indices.map { place -> String in
            var edited = all
            edited[place].value = edited[place].value.replacing(/^[0-9.]+/) { "\((Double($0.output) ?? 0) / 4)" }
            let (other, _) = read(technology, joined(edited))
            let effect =
                other.map {
                    differences(
                        (usual.profile, usual.weakSignal, usual.sheet.baseRoundTrip),
                        ($0.profile, $0.weakSignal, $0.sheet.baseRoundTrip))
                } ?? "refused"
            edited = all
            edited.remove(at: place)
            let (left, faults) = read(technology, joined(edited))
            let without =
                left.map {
                    differences(
                        (usual.profile, usual.weakSignal, usual.sheet.baseRoundTrip),
                        ($0.profile, $0.weakSignal, $0.sheet.baseRoundTrip))
                } ?? faults.sorted.map(\.message).joined(separator: ", ")
            return "\(all[place].key): \(effect)\n    without: \(without)"
        }
        expectText(lines.joined(separator: "\n"), index < ProfileEffects.all.count ? ProfileEffects.all[index] : "")
        #expect(usual.sheet.numbers.map(\.parameter).count == all.count + [2, 2, 6, 0, 0, 6][index])
        #expect(usual.sheet.name == "mine" && usual.sheet.about.isEmpty)
        #expect((usual.weakSignal != nil) == (index == 0))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func everyNumberHasItsBounds(_ index: Int) {
        // Broken: a number that no radio has is read, so that a product overflows.
        let (technology, text) = Self.texts[index]
        let all = pairs(text)
        let lines = all.indices.map { place -> String in
            let ends = ["-1", "9000000000"].map { number -> String in
                var edited = all
                edited[place].value = edited[place].value.replacing(/^[0-9.]+/, with: number)
                let (_, faults) = read(technology, edited.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
                return faults.sorted.first.map { $0.label.isEmpty ? $0.message : $0.label } ?? "read"
            }
            return "\(all[place].key): \(ends[0]) / \(ends[1])"
        }
        expectText(lines.joined(separator: "\n"), index < ProfileBounds.all.count ? ProfileBounds.all[index] : "")
    }

    @Test func contradictionsAreNoted() {
        // Broken: a radio with impossible timers is accepted.
        func edited(_ index: Int, _ changes: String, without: [String] = []) -> String {
            let (technology, text) = Self.texts[index]
            let new = pairs(changes)
            let kept = pairs(text).filter { pair in !without.contains(pair.key) && !new.contains { $0.key == pair.key }
            }
            let (found, faults) = read(
                technology, (kept + new).map { "\($0.key): \($0.value)" }.joined(separator: ", "))
            return "\(technology) \(changes): " + (found == nil ? faultLines(faults) : "read")
        }
        let rows = [
            edited(0, "short-drx-on-time: 106ms"), edited(0, "short-drx-on-time: 107ms"),
            edited(0, "long-drx-on-time: 108ms"), edited(0, "long-drx-on-time: 109ms"),
            edited(0, "tail-time: 1s, tail-power: 1mW"), edited(0, "paging-on-time: 116ms"),
            edited(0, "paging-on-time: 117ms"),
            edited(0, "idle-power: 5mW"), edited(0, "nr-promotion-time: 1s"), edited(1, "nr-promotion-time: 101ms"),
            edited(1, "nr-promotion-time: 100ms"), edited(1, "second-tail-until: 319ms"),
            edited(1, "second-tail-until: 318ms"), edited(4, "broadcast-time: 109ms"),
            edited(4, "broadcast-time: 110ms"),
            edited(4, "promotion-time: 0s", without: ["promotion-power"]), edited(4, "beacon-on-time: 106ms"),
            edited(3, "idle-power: 5mW", without: ["idle-to-fach-time", "up-idle-limit", "down-idle-limit"]),
            edited(0, "handover-time: 1s", without: ["handover-failure", "re-establishment-time"]),
            edited(0, "handover-time: 1s", without: ["re-establishment-time"]),
            edited(2, "inactive-time: 0s", without: ["inactive-power", "inactive-resume-time"]),
            edited(5, "psm-active-time: 399s"), edited(5, "psm-active-time: 400s"),
            edited(5, "edrx-window: 401s"), edited(5, "edrx-cycle: 19s"),
            edited(5, "psm-update-interval: 0s"), edited(5, "edrx-cycle: 0s"),
            edited(5, "psm-update-interval: 0s, edrx-cycle: 0s"),
            edited(5, "idle-power: 22mW", without: ["psm-power", "psm-buffer", "edrx-window"]),
            edited(0, "promotion-time: {value: 5ms, source: x}"), edited(0, "promotion-time: {source: x}"),
            edited(0, "promotion-time: {value: 5ms, trust: A, note: n}"),
            edited(0, "promotion-time: {value: 5ms, trust: Z}"),
        ]
        expectText(
            rows.joined(separator: "\n"),
            ProfileTableExpected.contradictionsAreNotedText)
    }

    @Test func aProfileDescribesItself() {
        // Broken: the help of a number is that of another one, or a technology has the numbers of another one.
        var settings = SettingsReader.describing("a profile")
        _ = ProfileReader(inheritingFrom: []).read(&settings)
        var seen: Set<String> = []
        let lines = settings.shape.rows.map { row -> String in
            row.depth > 1 && ["value", "source", "trust", "note"].contains(row.key)
                ? "" : "\(row.path): \(row.takes); \(row.help)"
        }.filter { !$0.isEmpty && seen.insert($0).inserted }
        expectText(
            lines.joined(separator: "\n"),
            ProfileTableExpected.aProfileDescribesItselfText)
        let number = settings.shape.rows.filter { $0.path.hasPrefix("lte.promotion-time.") }.map {
            "\($0.key): \($0.takes); \($0.help)"
        }
        expectText(
            number.joined(separator: "\n"),
            #"""
            value: like 45s; the value
            source: text; key of a citation in `sources`
            trust: R|C|X|S|D|K|A|U, default U; trust level of the number
            note: text, default ""; remark about the number
            """#)
    }
}
