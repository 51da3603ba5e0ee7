import DeadzoneCommand
import DeadzoneTestKit
import Foundation
import Testing

/// Voice calls in a capture: they are named, and no strategy sends their packets as messages.
struct ReplayCallTests {
    private static let start: UInt64 = 1_700_000_000_000_000_000

    /// A chat with a message every 5 s for a minute, and from 10 s on another stream of UDP packets in both directions.
    /// - Parameters:
    ///   - seconds: Length of the stream.
    ///   - interval: Time between two of its packets in one direction.
    ///   - bytes: Payload of the phone's packets and of the peer's packets.
    ///   - hasTwoPeers: Whether the peer's packets come from another address than the phone's packets go to.
    private static func capture(
        seconds: Double, interval: Double, bytes: (up: Int, down: Int), hasTwoPeers: Bool = false
    ) -> Data {
        var packets: [(at: Double, bytes: [UInt8])] = []
        func payload(_ count: Int) -> [UInt8] { [UInt8](repeating: 5, count: count) }
        for second in stride(from: 0, through: 60, by: 5) {
            packets.append(
                (
                    Double(second),
                    PacketBytes.ipv4(
                        PacketBytes.tcp(40_000, 443, sequence: UInt32(1 + 30 * second), payload: payload(30)))
                ))
        }
        let (peer, other): ([UInt8], [UInt8]) = (
            [198, 51, 100, 7], hasTwoPeers ? [198, 51, 100, 8] : [198, 51, 100, 7]
        )
        for step in 0..<Int(seconds / interval) {
            let at = 10 + Double(step) * interval
            if bytes.up > 0 {
                packets.append(
                    (at, PacketBytes.ipv4(PacketBytes.udp(50_000, 3_478, payload: payload(bytes.up)), to: peer)))
            }
            if bytes.down > 0 {
                packets.append(
                    (
                        at + interval / 2,
                        PacketBytes.ipv4(
                            PacketBytes.udp(3_478, 50_000, payload: payload(bytes.down)), from: other,
                            to: PacketBytes.phone)
                    ))
            }
        }
        var file = PcapWriter(linkType: 101)
        for (at, packet) in packets.sorted(by: { $0.at < $1.at }) { file.add(packet, at: start + UInt64(at * 1e9)) }
        return Data(file.bytes)
    }

    /// Payloads and rates of Opus at 20 ms, of WhatsApp at 120 ms, and of streams that are no calls.
    @Test(arguments: [
        (30.0, 0.02, 60, 60, false, true), (8, 0.12, 160, 160, false, true), (30, 0.06, 200, 200, true, true),
        // Too short, too rare, a download, an upload, only one direction.
        (3, 0.02, 60, 60, false, false), (30, 0.5, 60, 60, false, false), (30, 0.02, 35, 1_200, false, false),
        (30, 0.02, 1_200, 35, false, false), (30, 0.02, 60, 0, false, false), (30, 0.02, 0, 60, false, false),
    ])
    func onlySteadySmallPacketsBothWaysAreACall(
        _ seconds: Double, _ interval: Double, _ up: Int, _ down: Int, _ hasTwoPeers: Bool, _ isCall: Bool
    ) throws {
        // Broken: a call is replayed as chat messages, or a download or a chat is taken for a call.
        let workspace = try TestWorkspace.replaying(
            Self.capture(seconds: seconds, interval: interval, bytes: (up, down), hasTwoPeers: hasTwoPeers))
        let calls = try #require(
            try workspace.document("replay @a.pcap --device 10.0.0.2")["calls"] as? [[String: Any]])
        #expect(calls.count == (isCall ? 1 : 0))
        let outcome = workspace.run("replay @a.pcap --device 10.0.0.2 --to-scenario @a.yaml")
        #expect(
            outcome.errors.contains("a voice call or similar stream are no messages") == isCall, "\(outcome.errors)")
        guard isCall, let call = calls.first else { return }
        let packets = 2 * Int(seconds / interval)
        #expect(call["packets"] as? Int == packets)
        #expect(outcome.errors.contains("the \(packets) packets of a voice call"), "\(outcome.errors)")
        let begin = (call["from_start_s"] as? NSNumber)?.doubleValue ?? 0
        let length = (call["seconds"] as? NSNumber)?.doubleValue ?? 0
        #expect(abs(begin - 10) < 1.1 && abs(length - seconds) < 2.2, "\(call)")
        #expect(outcome.errors.contains("13 messages up and 0 down"), "\(outcome.errors)")
        let text = workspace.run("replay @a.pcap --device 10.0.0.2").output.replacing(/\s+/, with: " ")
        #expect(text.contains("voice call or similar stream at") && text.contains("\(packets) packets"))
        #expect(workspace.run("replay @a.pcap --format html").output.contains("<h3>Calls</h3>"))
    }

    @Test func comparedCaptureHasNoCall() throws {
        // Broken: the captured column includes a call that no strategy carries, so every strategy seems to save.
        let workspace = try TestWorkspace.replaying(Self.capture(seconds: 30, interval: 0.02, bytes: (60, 60)))
        let line = "replay @a.pcap --device 10.0.0.2 --strategies @clients.yaml"
        func joules(_ line: String, _ key: String) throws -> Double {
            let part = try workspace.document(line)[key] as? [String: Any]
            return (part?["joules"] as? NSNumber)?.doubleValue ?? .nan
        }
        let captured = try joules(line, "as_captured")
        let chat = try joules("replay @a.pcap --device 10.0.0.2 --filter tcp --until +90s", "radio")
        #expect(abs(captured - chat) < 0.01 && chat > 1)
        #expect(try joules("replay @a.pcap --device 10.0.0.2", "radio") > chat + 1)
        let text = workspace.run(line).output.replacing(/\s+/, with: " ")
        #expect(text.contains("No column includes the calls (3000 packets,"), "\(text)")
    }

    @Test func captureOfOnlyACallHasNothingToCompare() throws {
        // Broken: the error does not say where the packets went.
        let workspace = try TestWorkspace.replaying(Self.capture(seconds: 30, interval: 0.02, bytes: (60, 60)))
        let outcome = workspace.run("replay @a.pcap --filter udp --strategies @clients.yaml")
        #expect(outcome.code == .badInput && outcome.errors.contains("voice call"), "\(outcome.errors)")
    }
}
