import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Packets for a device that sleeps: held by the network, delivered together, and dropped beyond its room.
@Suite struct PowerSavingRunTests {
    private func world(_ saving: PowerSaving, up: TrafficStream?, minutes: Int64 = 60) -> World {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.minutes(1), bytes: 10), up: up), horizon: .minutes(minutes))
        guard var profile = world.cellular, case .cellular(var timers) = profile.machine else { fatalError("no radio") }
        timers.saving = saving
        profile.machine = .cellular(timers)
        world.cellular = profile
        return world
    }

    private func run(_ world: World) -> AllRecords {
        Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
    }

    private static func psm(_ packets: UInt32) -> PowerSaving {
        PowerSaving(
            activeTime: .seconds(10), updateInterval: .minutes(30), updateTime: .seconds(2), heldPackets: packets)
    }

    /// Broken: downlink reaches a sleeping device, is lost although the network has room, or keeps no order.
    @Test func theNetworkHoldsDownlink() {
        let run = run(world(Self.psm(64), up: .every(.minutes(20), bytes: 10)))
        let waits = run.values(.deliveredDown).map { $0 / 1_000_000_000 }
        #expect(run.sum(.lostDown) == 0 && run.count(.downlinkDropped) == 0)
        // Only an uplink every twenty minutes, and no update between, takes the packets along.
        #expect(waits.max()! > 17 * 60 && waits.max()! < 20 * 60, "\(waits)")
        let held = run.values(.downlinkHeld).map { $0 / 1_000_000_000 }
        #expect(held.count >= 50 && held.max()! < 30 * 60 + 2 && held.max()! > 28 * 60, "\(held.count)")
        #expect(run.records.filter { $0.kind == .downlinkHeld }.allSatisfy { $0.tag(of: .downlinkHeld) == .cellular })
        #expect(run.sum(.duplicatedDown) == 0 && run.sum(.reorderedDown) == 0)
    }

    /// Broken: the network holds any number of packets, or drops one although it has room.
    @Test func theNetworkDropsWhatItCannotHold() {
        let small = run(world(Self.psm(3), up: nil))
        #expect(
            small.count(.downlinkDropped) > 20 && small.sum(.downlinkDropped) == Int64(small.count(.downlinkDropped)))
        #expect(small.count(.downlinkHeld) == 6 && small.sum(.lostDown) == small.sum(.downlinkDropped))
        let none = run(world(Self.psm(0), up: nil))
        #expect(none.count(.downlinkHeld) == 0 && none.count(.downlinkDropped) > small.count(.downlinkDropped))
    }

    /// Broken: the time asleep is charged as idle time, or an update costs no promotion.
    @Test func sleepAndUpdatesAreRecorded() {
        let run = run(world(Self.psm(64), up: nil, minutes: 59))
        let asleep = run.records.filter { $0.kind == .residency && $0.tag(of: .residency)?.level == .powerSaving }
        #expect(asleep.reduce(0) { $0 + $1.value } > TimeSpan.minutes(57).nanoseconds)
        #expect(asleep.allSatisfy { $0.tag(of: .residency)?.cause == .baseline })
        #expect(run.count(.promotion) == 1)
    }

    /// Broken: a device with eDRX is reached at any paging occasion, or keeps data for longer than its cycle.
    @Test func extendedCyclesDelayDownlink() {
        let saving = PowerSaving(extendedCycle: .milliseconds(40_960), window: .milliseconds(2_560), heldPackets: 64)
        let run = run(world(saving, up: nil))
        let waits = run.values(.deliveredDown).map { $0 / 1_000_000_000 }
        #expect(run.sum(.lostDown) == 0 && waits.max()! > 20 && waits.max()! <= 42, "\(waits)")
        #expect(self.run(world(PowerSaving(), up: nil)).count(.downlinkHeld) == 0)
    }
}
