import struct DeadzoneCaptures.IPAddress
import DeadzonePrimitives
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneWorld
import Testing

@testable import DeadzoneLive

/// A world as a file says it.
func compiled(_ yaml: String) throws -> World {
    let text = "version: 1\nname: test\nduration: 60s\n" + yaml + "\nstrategies: {a: {strategy: patient}}\n"
    let loaded = ScenarioLoader(.standard) { _ in .failure(FileTrouble("nothing else is read")) }
        .load(Array(text.utf8), name: "test")
    return try #require(loaded.scenarios.first?.world, "\(loaded.faults)")
}

enum Ends {
    static let phone = HostAddress(0xc0a8_4d02)
    static let server = HostAddress(0xcb00_7101)

    /// A TCP segment between them.
    static func segment(
        _ direction: Direction, _ flags: Datagram.Flags, sequence: UInt32 = 1, port: UInt16 = 40_000,
        payload: [UInt8] = [], isIPv6: Bool = false
    ) -> Datagram {
        let name = FlowName(udp(port: port, isIPv6: isIPv6), .up)
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

extension Road {
    /// With Wi-Fi up from the beginning.
    static func onWiFi(_ yaml: String, seed: UInt64 = 1) throws -> Road {
        var road = Road(try compiled(yaml), seed: seed, phone: PhoneID(0))
        road.begin(.wifi)
        return road
    }

    /// Of an interface that has no address yet.
    mutating func begin(_ interface: Interface, _ address: HostAddress = Ends.phone) {
        let isRaised = raise(interface, address, usableAfter: .zero)
        #expect(isRaised)
    }

    /// Sends at a moment, and runs until everything has arrived or a minute is over: when it arrived, and where.
    mutating func arrivals(of packet: Datagram, at: Instant, within span: TimeSpan = .seconds(20)) -> [(Instant, Side)]
    {
        advance(to: at)
        send(packet)
        advance(to: at + span)
        return takeArrived().map { ($0.due, $0.side) }
    }

    /// So many arrive.
    mutating func expect(_ count: Int, of packet: Datagram, at: Instant, _ what: String = "") {
        let arrived = arrivals(of: packet, at: at).count
        #expect(arrived == count, "\(what)")
    }
}
