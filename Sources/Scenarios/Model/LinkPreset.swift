import DeadzoneBase

/// A predefined network link (delay, rate, loss) that a scenario can use by name: round numbers to start with, medians
/// of a published measurement, or the profiles of well-known tools. A scenario that depends on its link should define
/// its own.
package struct LinkPreset: Sendable {
    package var name: String
    package var about: String
    var sketch: LinkSketch

    package static let all: [LinkPreset] = own + webPageTest + emulator

    private static let own: [LinkPreset] = [
        LinkPreset(
            name: "wifi", about: "a home network on a fast line: 10 ms one way, 50 Mbps (assumption)",
            sketch: LinkSketch(milliseconds: 10, up: 20_000_000, down: 50_000_000)),
        // 70 ms: median round trip in state CONNECTED, SIGCOMM21-5G/artifact@35aaf28 RRC-Probe/data.
        LinkPreset(
            name: "lte", about: "35 ms one way, half of a measured round trip; 10 Mbps up, 20 Mbps down (assumption)",
            sketch: LinkSketch(milliseconds: 35, up: 10_000_000, down: 20_000_000)),
        LinkPreset(
            name: "nr", about: "20 ms one way, 20 Mbps up, 100 Mbps down (assumption)",
            sketch: LinkSketch(milliseconds: 20, up: 20_000_000, down: 100_000_000)),
        // Medians of T-Mobile SA on a drive across the United States in 2024, CoNEXT 2025 (Ghoshal et al.), figures 5a,
        // 6a and 13b: 317 and 36 Mbps, and a round trip of 68 ms on n41. Phones at rest near a mast in Europe received
        // 601 to 811 Mbps (means of six channels, SIGCOMM24-5GinMidBands/artifacts).
        LinkPreset(
            name: "nr-mid",
            about: "34 ms one way, half of a measured round trip; 36 Mbps up, 317 Mbps down (medians of a drive, 2024)",
            sketch: LinkSketch(milliseconds: 34, up: 36_000_000, down: 317_000_000)),
        LinkPreset(
            name: "umts", about: "75 ms one way, 1 Mbps up, 3 Mbps down (assumption)",
            sketch: LinkSketch(milliseconds: 75, up: 1_000_000, down: 3_000_000)),
        // Assumed: half of the mobile round trip of the phone that lends its network, and 40 ms for both halves of a
        // sniff interval and the proxies. Wear OS documents no rate; 400 kbps is far below what Bluetooth 4 can carry.
        LinkPreset(
            name: "bluetooth",
            about: "a watch over Bluetooth and its phone's mobile network: 75 ms one way, 400 kbps (assumption)",
            sketch: LinkSketch(milliseconds: 75, up: 400_000, down: 400_000)),
        LinkPreset(
            name: "ethernet", about: "a cable to a fast line: 5 ms one way, 100 Mbps up, 500 Mbps down (assumption)",
            sketch: LinkSketch(milliseconds: 5, up: 100_000_000, down: 500_000_000)),
        LinkPreset(
            name: "perfect", about: "1 ms one way, 1 Gbps, no loss",
            sketch: LinkSketch(milliseconds: 1, up: 1_000_000_000, down: 1_000_000_000)),
    ]

    static func named(_ name: String) -> LinkSketch? { all.first { $0.name == name }?.sketch }

    /// The default link of an interface. Each interface that is not cellular has a preset of its name.
    static func usual(_ interface: Interface, roundTrip: TimeSpan?) -> LinkSketch {
        guard interface.isCellular else { return named(interface.name)! }
        var sketch = named("lte")!
        if let roundTrip { sketch.setDelay(.constant(roundTrip.nanoseconds / 2)) }
        return sketch
    }
}
