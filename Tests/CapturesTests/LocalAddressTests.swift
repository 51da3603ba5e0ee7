import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// The addresses of the captured device, inferred from the first packets.
struct LocalAddressTests {
    private typealias Sample = LocalAddresses.AddressSample

    private static func address(_ number: Int) -> IPAddress {
        // From 100 on they are public, below they are private; negative ones are of IPv6.
        number < 0
            ? .ipv6(0x2001_0db8 << 96 | UInt128(-number))
            : .ipv4(number < 100 ? 0x0a00_0000 + UInt32(number) : 0xc633_6400 + UInt32(number))
    }

    /// - Parameter isClient: `true` if the packet behaves like one of a client.
    private static func sample(
        _ source: Int, _ destination: Int, isClient: Bool = false, stations: (UInt64, UInt64) = (0, 0),
        _ direction: PacketDirection = .unknown
    ) -> Sample {
        Sample(
            source: address(source), destination: address(destination), sourceStation: stations.0,
            destinationStation: stations.1, isClientLike: isClient, direction: direction)
    }

    private static func infer(_ samples: [Sample], stated: [Int] = []) -> LocalAddresses {
        var local = LocalAddresses(stated: stated.map(address))
        local.infer(from: samples)
        return local
    }

    private static func expect(
        _ samples: [Sample], _ addresses: [Int], explained: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let local = infer(samples)
        #expect(local.addresses == addresses.map(address), sourceLocation: sourceLocation)
        #expect(local.sampled == samples.count && !local.isStated, sourceLocation: sourceLocation)
        let expected = explained ?? samples.count
        #expect(local.explained == expected, sourceLocation: sourceLocation)
    }

    private static func some(_ count: Int, _ sample: Sample) -> [Sample] { .init(repeating: sample, count: count) }

    /// Broken: another address than the most frequent one is the device, or equal counts have another order.
    @Test func theMostFrequentAddressIsTheDevice() {
        let sample = { Self.sample($0, $1, isClient: $2) }
        Self.expect([], [], explained: 0)
        Self.expect([sample(1, 101, false), sample(102, 1, false)], [1])
        // Equal counts: the client, then the private address, then the first one.
        Self.expect([sample(101, 102, false)], [101])
        Self.expect([sample(101, 2, false)], [2])
        Self.expect([sample(101, 2, true)], [101])
        Self.expect([sample(3, 2, false)], [3])
        // An address with as many packets as a server, but with more client packets.
        Self.expect([sample(101, 102, true), sample(102, 101, false)], [101])
        Self.expect([sample(102, 101, false), sample(101, 102, true)], [101])
        // Multicast and zero are no devices.
        var group = sample(5, 101, false)
        group.destination = .ipv4(0xe000_0001)
        Self.expect(Self.some(3, group) + [sample(5, 101, false)], [5])
        var unknown = sample(5, 101, false)
        (unknown.source, unknown.destination) = (.ipv4(0), .ipv4(0xffff_ffff))
        Self.expect([unknown, unknown], [], explained: 0)
    }

    /// Broken: a server with many clients, or the server of a phone that changed its address, is taken for the device.
    @Test func aClientNeedsHalfOfThePackets() {
        let up = { Self.sample($0, 101, isClient: true) }
        let down = { Self.sample(101, $0) }
        // A phone with two addresses has half of the server's packets under the first.
        let halves = [up(1), up(1), up(2), up(2)]
        let local = Self.infer(halves)
        #expect(local.addresses == [1, 2].map(Self.address) && local.explained == 4)
        let thirds = [up(1), up(2), up(3), down(1), down(2), down(3)]
        #expect(Self.infer(thirds).addresses.first == Self.address(101))
        // 2 of 5 packets are not half, 3 of 6 are.
        #expect(Self.infer([up(1), up(1), up(2), up(3), up(3)]).addresses.first == Self.address(101))
        let half = [up(1), up(1), up(1), up(2), up(3), up(3)]
        #expect(Self.infer(half).addresses.first == Self.address(1))
        // A host that is a client as often as a server is none.
        let both = [up(1), up(2), up(3), Self.sample(104, 101), Self.sample(102, 1, isClient: true)]
        #expect(Self.infer(both).addresses.first == Self.address(101))
        let server = [Self.sample(1, 101, isClient: true), Self.sample(102, 101, isClient: true)]
        #expect(Self.infer(server + [Self.sample(103, 101, isClient: true)]).addresses.first == Self.address(101))
    }

    /// Broken: a further address of the device is missed, or the address of another host is taken for one.
    @Test func furtherAddressesBehaveLikeClients() {
        let first = Self.some(9, Self.sample(1, 101, isClient: true))
        // An address of the other family needs two packets, one of the same family also a client's behaviour.
        Self.expect(first + Self.some(2, Self.sample(-5, -101)), [1, -5])
        Self.expect(first + [Self.sample(-5, -101)], [1], explained: 9)
        Self.expect(first + Self.some(2, Self.sample(2, 102, isClient: true)), [1, 2])
        Self.expect(first + [Self.sample(2, 102, isClient: true), Self.sample(102, 2)], [1, 2])
        Self.expect(first + Self.some(2, Self.sample(2, 102)), [1], explained: 9)
        Self.expect(first + [Self.sample(2, 102, isClient: true)], [1], explained: 9)
        // The packets of the first address have no further votes.
        Self.expect(first + Self.some(2, Self.sample(2, 101, isClient: true)), [1, 2])
        // At most eight further addresses, the most frequent ones first.
        let many = (2...11).flatMap { Self.some(22 - $0, Self.sample($0, 200 + $0, isClient: true)) }
        let counted = Self.infer(Self.some(40, Self.sample(1, 101, isClient: true)) + many)
        #expect(counted.addresses == (1...9).map(Self.address))
    }

    /// Broken: directions of the file, or stated addresses, are ignored, or others are added to them.
    @Test func recordedDirectionsComeFirst() {
        let samples = [
            Self.sample(101, 1, .up), Self.sample(102, 1, isClient: true), Self.sample(1, 102, .down),
            Self.sample(103, 1, .up), Self.sample(101, 1, .up),
        ]
        Self.expect(samples, [101, 103], explained: 3)
        let stated = Self.infer(samples, stated: [1])
        #expect(stated.addresses == [Self.address(1)] && stated.isStated && stated.station == nil)
        #expect(stated.explained == 0 && stated.sampled == 5)
        // Packets that went up from a group address name no device.
        var group = Self.sample(101, 1, .up)
        group.source = .ipv4(0xe000_0001)
        Self.expect([group, Self.sample(1, 102, isClient: true)], [1])
    }

    /// Broken: the device's station is another one, or the addresses behind it are not learned.
    @Test func theStationOfTheDevice() {
        func station(_ samples: [Sample]) -> UInt64? { Self.infer(samples).station }
        let up = Self.some(3, Self.sample(1, 101, isClient: true, stations: (7, 9)))
        let down = Self.sample(101, 1, stations: (9, 7))
        #expect(station(up) == 7 && station(up + [down]) == 7)
        let local = Self.infer(up + [Self.sample(2, 102, stations: (7, 9)), Self.sample(103, 104, stations: (9, 8))])
        #expect(local.addresses == [1, 2].map(Self.address) && local.explained == 4)
        // Only received packets, or senders without a station.
        #expect(station([down, down, Self.sample(102, 1, stations: (9, 7))]) == 7)
        #expect(station([Self.sample(1, 101, isClient: true, stations: (0, 9)), down]) == 7)
        #expect(station([Self.sample(1, 101, isClient: true, stations: (0, 9))]) == nil)
        let without = [Self.sample(101, 1, stations: (9, 0)), Self.sample(102, 1, stations: (9, 0))]
        #expect(station(without) == nil)
        // One station at both ends, also of other packets; a router, which sends to the address, too.
        #expect(station(up + [Self.sample(102, 103, stations: (5, 5))]) == nil)
        #expect(station(up + [Self.sample(102, 103, stations: (0, 0))]) == nil)
        #expect(station(up + [Self.sample(101, 1, stations: (7, 8))]) == nil)
        #expect(station(up + [Self.sample(101, 2, stations: (7, 8))]) == 7)
        // With a station, addresses of other stations are not learned by their behaviour.
        let other = Self.some(2, Self.sample(2, 102, isClient: true, stations: (6, 9)))
        #expect(Self.infer(up + other).addresses == [Self.address(1)])
    }

    /// Broken: an address is learned twice, a group address is learned, or the list grows without bound.
    @Test func learnsAtMost32Addresses() {
        var local = LocalAddresses(stated: [Self.address(1)])
        local.learn(Self.address(1))
        local.learn(.ipv4(0))
        local.learn(.ipv6(0))
        local.learn(.ipv4(0xe000_0000))
        #expect(local.addresses == [Self.address(1)])
        // The same bits in another family are another address.
        local.learn(.ipv6(Self.address(1).bits))
        #expect(local.addresses.count == 2 && local.isLocal(.ipv6(0x0a00_0001)) && !local.isLocal(.ipv6(0x0a00_0002)))
        for number in 2..<50 { local.learn(Self.address(number)) }
        #expect(local.addresses.count == 32 && local.addresses.last == Self.address(31))
    }
}
