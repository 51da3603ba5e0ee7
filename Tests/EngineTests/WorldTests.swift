import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Properties that a world computes before a run.
@Suite struct WorldTests {
    private func world(changes: Int = 0) -> World {
        World(
            horizon: .zero + .minutes(1), wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(7)), cellularLink: Fixture.link(delay: .milliseconds(4)),
            timeline: (0..<changes).map { TimelineEntry(at: .zero + .seconds(Int64($0)), .spurious(.wifi, .flap)) })
    }

    @Test func aPhoneHasTheKernelOfItsSystem() {
        // Broken: an iPhone retransmits like Linux does, or the system overrides an explicitly chosen kernel.
        let networks = NetworkRules(
            linger: .zero, validation: .zero, destroysSockets: false, leavesSocketsFrozen: true)
        func kernel(_ family: Platform.OSFamily?, _ release: Int = 0, own: Kernel? = nil) -> Kernel {
            var world = world()
            world.platform = family.map { Platform(name: "p", family: $0, release: release, networks: networks) }
            world.tcpKernel = own
            return world.kernel
        }
        #expect(kernel(nil) == .linux && kernel(.ios, 18) == .xnu)
        for release in [7, 10, 15] { #expect(kernel(.android, release) == .android(release)) }
        #expect(Kernel.android(7) != .android(10) && Kernel.android(10) != .android(15))
        #expect(kernel(.ios, 18, own: .linux) == .linux && kernel(nil, own: .xnu) == .xnu)
    }

    @Test func aPacketMeetsTheBoxesOfItsInterfaceFirst() {
        // Broken: a load balancer is in front of the phone's NAT, or a path has the boxes of another interface.
        var boxes = Middleboxes()
        (boxes.wifi, boxes.cellular, boxes.server) = (
            [Middlebox(tcp: .seconds(1)), Middlebox(tcp: .seconds(2))], [Middlebox(tcp: .seconds(3))],
            [Middlebox(tcp: .seconds(4))]
        )
        #expect(boxes.path(of: .wifi).map(\.tcp) == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(boxes.path(of: .cellular).map(\.tcp) == [.seconds(3), .seconds(4)])
    }

    @Test func aSyncWindowIsNoLongerThanTheShortestDownlink() {
        // Broken: a server event reaches a phone in the middle of a sync window.
        #expect(world().syncWindowLength == .milliseconds(4))
        var faster = world()
        faster.wifiConditions = [Fixture.link(delay: .milliseconds(9)), Fixture.link(delay: .milliseconds(3))]
        #expect(faster.syncWindowLength == .milliseconds(3))
        // An interface that the phone does not have delivers nothing.
        faster.wifi = nil
        #expect(faster.syncWindowLength == .milliseconds(4))
        faster.cellularConditions = [Fixture.link(delay: .milliseconds(2))]
        #expect(
            World(of: [("slow", 1, world()), ("fast", 1, faster), ("slow too", 1, world())]).syncWindowLength
                == .milliseconds(2))
    }

    @Test func eachGroupHasPhonesAndChangesOfItsOwn() {
        // Broken: a record names the change of another group, or a division of the phones contains a phone twice or not
        // at all.
        let counts = [(3, 2), (1, 0), (4, 5), (2, 1)]
        let all = World(of: counts.enumerated().map { ("g\($0)", $1.0, world(changes: $1.1)) })
        #expect(all.phones == 10 && all.timeline.count == 8)
        #expect(all.groups.map(\.firstChange) == [0, 2, 2, 7])
        #expect(all.groups.map(\.phones) == [0..<3, 3..<4, 4..<8, 8..<10])
        for first in 0..<10 as Range<UInt32> {
            for end in first + 1...10 {
                let parts = all.slices(of: first..<end)
                #expect(parts.flatMap(\.phones) == Array(first..<end))
                for part in parts {
                    #expect(!part.phones.isEmpty && all.groups[part.group].phones.contains(part.phones.lowerBound))
                    #expect(part.firstChange == all.groups[part.group].firstChange)
                    #expect(part.world.timeline.count == counts[part.group].1)
                }
            }
        }
        let alone = world().slices(of: 2..<5)
        #expect(alone.map(\.phones) == [2..<5] && alone[0].firstChange == 0 && alone[0].group == 0)
    }
}
