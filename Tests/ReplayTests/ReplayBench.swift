import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import DeadzoneScenarios
import DeadzoneShipped
import Testing

/// Replays packet lists written as `0.5 100 up, 1.05 1400 down`: seconds, bytes, direction.
struct ReplayBench {
    private static let shelf = shippedProfiles.map { ProfileText(name: $0.name, text: $0.text) }

    static func profile(_ name: String) throws -> (profile: RadioProfile, sheet: ProfileSource) {
        let text = try #require(shelf.first { $0.name == name }).text
        let node = try #require(compose(Array(text.utf8)).node)
        var settings = SettingsReader(node, of: "profile \(name)")
        let reading = try #require(ProfileReader(inheritingFrom: shelf).read(&settings))
        return (reading.profile, reading.sheet)
    }

    static func bill(
        _ name: String, _ packets: String, _ rules: ReplayRules = .physical, stamps: TimestampMeaning = .flowed,
        from: ReplayMoment? = .at(.epoch), until: ReplayWindow.WindowEnd = .lastPacket, without: (String, String)? = nil
    ) throws -> RadioBill {
        let (profile, sheet) = try profile(name)
        var replay = try RadioReplay(
            profile, sheet, rules: rules, stamps: stamps, window: ReplayWindow(from: from, until: until))
        if let without { replay.addOutage(from: stamp(without.0), until: stamp(without.1)) }
        for packet in try list(packets) { replay.add(packet) }
        return replay.finish()
    }

    static func list(_ text: String) throws -> [CapturedPacket] {
        try text.split(separator: ",").map { word in
            let parts = word.split(separator: " ")
            var packet = CapturedPacket(
                stamp: stamp(String(parts[0])), wireLength: UInt32(parts[1])!, capturedLength: 0)
            packet.direction = parts[2] == "up" ? .up : .down
            packet.network = .ipv4
            try #require(parts[2] == "up" || parts[2] == "down")
            return packet
        }
    }

    /// A timestamp from decimal seconds, without rounding.
    static func stamp(_ text: String) -> Timestamp {
        let parts = text.split(separator: ".")
        let rest = parts.count > 1 ? String(parts[1]) : ""
        let nanoseconds = rest + String(repeating: "0", count: 9 - rest.count)
        return Timestamp(seconds: Int64(parts[0])!, nanoseconds: Int64(nanoseconds)!)
    }

    static func end(_ text: String) -> ReplayWindow.WindowEnd { .moment(.at(stamp(text))) }
}

extension RadioBill {
    /// Count, seconds and joules of a state; zeros if it did not occur.
    func state(_ state: RadioState) -> (count: Int, seconds: Double, joules: Double) {
        states.first { $0.state == state }.map { ($0.count, $0.seconds, $0.joules) } ?? (0, 0, 0)
    }
}

func isClose(_ a: Double, _ b: Double, within tolerance: Double = 1e-6) -> Bool {
    a - b <= tolerance && b - a <= tolerance
}
