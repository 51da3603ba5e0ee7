import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

@testable import DeadzoneLive

/// Compiles the world of a scenario that consists of these lines and a fixed head.
func compiled(_ yaml: String) throws -> World {
    let text = "version: 1\nname: test\nduration: 60s\n" + yaml + "\nstrategies: {a: {strategy: patient}}\n"
    let loaded = ScenarioLoader(.standard) { _ in .failure(FileError("nothing else is read")) }
        .load(Array(text.utf8), name: "test")
    return try #require(loaded.scenarios.first?.world, "\(loaded.faults)")
}

enum TestEndpoints {
    static let phone = HostAddress(0xc0a8_4d02)
    static let server = HostAddress(0xcb00_7101)

    /// A TCP segment between the phone and the server.
    static func segment(
        _ direction: Direction, _ flags: Datagram.SegmentFlags, sequence: UInt32 = 1, port: UInt16 = 40_000,
        payload: [UInt8] = [], isIPv6: Bool = false
    ) -> Datagram {
        let name = LiveFlowKey(udp(port: port, isIPv6: isIPv6), .up)
        return name.segment(direction, flags, sequence: sequence, acknowledgement: 1, payload: payload)
    }

    /// A UDP datagram of the phone.
    static func udp(port: UInt16 = 40_000, bytes: Int = 100, isIPv6: Bool = false) -> Datagram {
        .message(
            from: .init(isIPv6 ? .ipv6(phone.ipv6) : .ipv4(phone.ipv4), port),
            to: .init(isIPv6 ? .ipv6(server.ipv6) : .ipv4(server.ipv4), 8_080),
            payload: Array(repeating: 7, count: bytes - (isIPv6 ? 48 : 28)))
    }
}

extension LivePath {
    /// A path with Wi-Fi up from the beginning.
    static func onWiFi(_ yaml: String, seed: UInt64 = 1) throws -> LivePath {
        var road = LivePath(try compiled(yaml), seed: seed, phone: PhoneID(0))
        road.begin(.wifi)
        return road
    }

    /// Brings up an interface with an address.
    mutating func begin(_ interface: Interface, _ address: HostAddress = TestEndpoints.phone) {
        let isRaised = bringUp(interface, address, usableAfter: .zero)
        #expect(isRaised)
    }

    /// Sends a packet at a given time and runs for `span`. Returns when and at which end packets arrived.
    mutating func arrivals(of packet: Datagram, at: Instant, within span: TimeSpan = .seconds(20)) -> [(
        Instant, PathEnd
    )] {
        advance(to: at)
        send(packet)
        advance(to: at + span)
        return takeArrived().map { ($0.due, $0.side) }
    }

    /// Checks that exactly `count` packets arrive.
    mutating func expect(_ count: Int, of packet: Datagram, at: Instant, _ what: String = "") {
        let arrived = arrivals(of: packet, at: at).count
        #expect(arrived == count, "\(what)")
    }
}
