import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Captures in which time runs backwards, as after a change of the phone's clock.
struct ReversedTimeTests {
    private static let start: UInt64 = 1_700_000_000_000_000_000

    /// A packet every 5 s for a minute; the packets from the sixth on are this many seconds earlier than they should be.
    private static func capture(jump: Int) -> Data {
        var file = PcapWriter(linkType: 101)
        for number in 0..<12 {
            let at = Int(start / 1_000_000_000) + 5 * number - (number < 6 ? 0 : jump)
            let packet = PacketBytes.ipv4(
                PacketBytes.tcp(
                    40_000, 443, sequence: UInt32(1 + 30 * number), payload: [UInt8](repeating: 5, count: 30)))
            file.add(packet, at: UInt64(at) * 1_000_000_000)
        }
        return Data(file.bytes)
    }

    /// Broken: the time after a jump is negative, so a state has negative seconds or joules.
    @Test(arguments: [0, 3, 12, 1_000, 1_600_000_000])
    func noTimeOrEnergyIsNegative(_ jump: Int) throws {
        let workspace = try TestWorkspace.replaying(Self.capture(jump: jump))
        let line = "replay @a.pcap --device 10.0.0.2 --profile lte-att-2012-aro"
        let replay = try workspace.document(line)
        let capture = try #require(replay["capture"] as? [String: Any])
        #expect((capture["time_reversals"] as? NSNumber)?.intValue == (jump > 5 ? 1 : 0), "\(capture)")
        let radio = try #require(replay["radio"] as? [String: Any])
        #expect((radio["joules"] as? NSNumber)?.doubleValue ?? -1 > 0, "\(radio)")
        for number in numbers(of: radio) { #expect(number >= 0, "\(radio)") }
        let text = workspace.run(line).output
        #expect(text.contains("earlier timestamp") == (jump > 5), "\(text)")
    }

    private func numbers(of value: Any) -> [Double] {
        switch value {
        case let number as NSNumber: [number.doubleValue]
        case let list as [Any]: list.flatMap(numbers)
        case let members as [String: Any]: members.values.flatMap(numbers)
        default: []
        }
    }
}
