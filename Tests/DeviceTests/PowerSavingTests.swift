import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneDevice

/// Devices with PSM or eDRX: when they listen, sleep and update, and how long data waits for them.
@Suite struct PowerSavingTests {
    private static let psm = PowerSaving(
        activeTime: .milliseconds(700), updateInterval: .seconds(9), updateTime: .milliseconds(400), heldPackets: 3)
    private static let extended = PowerSaving(
        extendedCycle: .milliseconds(5_120), window: .milliseconds(900), heldPackets: 3)
    private static var both: PowerSaving {
        var saving = psm
        (saving.extendedCycle, saving.window) = (.milliseconds(2_000), .milliseconds(300))
        saving.activeTime = .milliseconds(2_600)
        return saving
    }

    private static func profile(_ saving: PowerSaving) -> RadioProfile {
        var powers = PowerTable()
        let rows: [(PowerLevel, Int64)] = [
            (.idle, 5), (.promotion, 80), (.activeUp, 500), (.activeDown, 150), (.tail, 13), (.powerSaving, 1),
        ]
        for (level, power) in rows { powers[level] = .milliwatts(power) }
        return RadioProfile(
            technology: .lte, powers: powers, costUp: .zero, costDown: .zero,
            machine: .cellular(
                CellularTimers(
                    promotion: .milliseconds(250), tail: TailLadder(.init(.tail, until: .milliseconds(800))),
                    drx: DRXTimers(inactivity: .zero, long: .none), paging: Cycle(period: .milliseconds(128)),
                    saving: saving)),
            handover: .none,
            search: SearchTimers(scan: .seconds(2), firstPause: .seconds(4), longestPause: .seconds(64))
        )
    }

    private static func timers(_ profile: RadioProfile) -> CellularTimers {
        guard case .cellular(let timers) = profile.machine else { fatalError("not cellular") }
        return timers
    }

    @Test(arguments: [0, 1, 2])
    func theMachineDoesWhatEveryMillisecondImplies(_ index: Int) {
        // Broken: a device sleeps, listens or updates at another time than its timers say, or data flows at another time.
        let saving = [Self.psm, Self.extended, Self.both][index]
        let profile = Self.profile(saving)
        var spent: Set<PowerLevel> = []
        seedSweep(60) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func number(_ bound: UInt64) -> Int { Int(dice.next().scaled(below: bound)) }
            let period = saving.extendedCycle > .zero ? saving.extendedCycle : .milliseconds(128)
            let offset = number(UInt64(period.nanoseconds / 1_000_000))
            var driver = RadioDriver(profile, phases: RadioPhases(paging: Int64(offset) * 1_000_000, drx: 0))
            var reference = ReferenceSleeper(Self.timers(profile), offset: offset)
            var now = 0
            for _ in 0..<30 {
                now += number([2, 60, 700, 3_000, 12_000][number(5)])
                driver.run(until: .zero + .milliseconds(Int64(now)))
                reference.run(until: now)
                let direction: Direction = number(3) == 0 ? .up : .down
                let airtime = number(2) * number(40)
                let carried = driver.carry(direction, bytes: 9, airtime: .milliseconds(Int64(airtime)))
                let expected = reference.carry(direction, airtime: airtime)
                #expect(carried.flowsAt == .zero + .milliseconds(Int64(expected)), "\(direction) at \(now) ms")
            }
            now += 20_000
            driver.run(until: .zero + .milliseconds(Int64(now)))
            driver.settle()
            reference.run(until: now)
            for level in PowerLevel.allCases {
                let time = driver.time(at: level)
                #expect(time == .milliseconds(Int64(reference.times[level] ?? 0)), "\(level)")
                if .zero < time { spent.insert(level) }
            }
            #expect(driver.promotions == reference.promotions)
        }
        #expect(spent.count == (saving.sleeps ? 6 : 5), "\(spent)")
    }

    @Test func aSleepingDeviceUpdatesAndIsReachedThen() {
        // Broken: the periodic update never comes, keeps the device connected, or leaves data in the network.
        var driver = RadioDriver(Self.profile(Self.psm))
        driver.run(for: .milliseconds(700))
        #expect(driver.radio.level == .powerSaving && driver.promotions == 0)
        driver.run(for: .milliseconds(8_300))
        #expect(driver.radio.level == .promotion && driver.promotions == 1)
        driver.run(for: .milliseconds(400))
        #expect(driver.radio.level == .idle)
        driver.run(for: .seconds(1))
        let carried = driver.carry(.down, bytes: 100)
        // The second update begins 9 s after the end of the first one, and takes 400 ms.
        #expect(carried.flowsAt == Instant.zero + .milliseconds(9_400 + 9_000 + 400))
        #expect(driver.radio.dataFlowsFrom == carried.flowsAt)
        driver.run(until: carried.flowsAt)
        #expect(driver.radio.level == .tail && driver.promotions == 2)
        #expect(driver.time(at: .powerSaving) == .milliseconds(2 * (9_000 - 700)))
    }

    @Test(
        arguments: [
            (true, 0, 250, true), (true, 1, 378, false), (true, 128, 378, true), (true, 640, 890, true),
            (true, 641, 9_400, false), (true, 1_280, 9_400, false), (false, 0, 250, true), (false, 1, 378, false),
            (false, 896, 1_146, true), (false, 897, 5_370, false), (false, 5_120, 5_370, true),
        ] as [(Bool, Int64, Int64, Bool)])
    func dataOfTheNetworkPromotesAtAnOccasion(sleeps: Bool, at time: Int64, flowsAt: Int64, isPromoted: Bool) {
        // Broken: a device that listens at this very instant is not promoted, or one that does not listen is.
        var driver = RadioDriver(Self.profile(sleeps ? Self.psm : Self.extended))
        driver.run(until: .zero + .milliseconds(time))
        let level = driver.radio.level
        let carried = driver.carry(.down, bytes: 100)
        #expect(carried.flowsAt == .zero + .milliseconds(flowsAt) && carried.promoted == isPromoted)
        #expect(driver.radio.level == (isPromoted ? .promotion : level) && driver.radio.isPromoting == isPromoted)
        driver.run(until: carried.flowsAt)
        #expect(driver.radio.level == .tail && driver.promotions == 1)
    }

    @Test func uplinkTakesHeldDataAlong() {
        // Broken: data of the network stays there although the device is connected.
        var driver = RadioDriver(Self.profile(Self.psm))
        driver.run(for: .seconds(3))
        let down = driver.carry(.down, bytes: 100).flowsAt
        driver.run(for: .seconds(1))
        let up = driver.carry(.up, bytes: 10).flowsAt
        #expect(down == .zero + .milliseconds(9_400) && up == .zero + .milliseconds(4_250))
        #expect(driver.radio.dataFlowsFrom == .zero + .milliseconds(4_250))
        // At the very instant of falling asleep, with data that waits for the update.
        var other = RadioDriver(Self.profile(Self.psm), phases: RadioPhases(paging: 60_000_000, drx: 0))
        other.run(for: .milliseconds(699))
        let late = (other.carry(.down).flowsAt, other.carry(.up).flowsAt)
        #expect(late == (.zero + .milliseconds(9_400), .zero + .milliseconds(949)))
    }

    @Test func aDeviceFoundByTheNetworkAgainSleepsAgain() {
        // Broken: after a dead zone a device with PSM stays idle for ever.
        var driver = RadioDriver(Self.profile(Self.psm))
        driver.run(for: .seconds(3))
        driver.setCoverage(false)
        driver.run(for: .seconds(5))
        driver.setCoverage(true)
        #expect(driver.radio.level == .idle && driver.radio.nextTransition == driver.now + .milliseconds(700))
        driver.run(for: .seconds(1))
        #expect(driver.radio.level == .powerSaving)
        // A radio of which nothing is known stays idle until its first data.
        let idle = Radio(idle: Self.profile(Self.psm), phases: RadioPhases(paging: 0, drx: 0), at: .zero)
        #expect(idle.nextTransition == .never)
    }

    @Test func aCaptureShowsASleepingDeviceAwake() {
        // Broken: a packet of a capture is refused by a device that sleeps or updates, or time runs backwards.
        for stamp in stride(from: Int64(650), to: 20_000, by: 53) {
            var driver = RadioDriver(Self.profile(Self.psm))
            for direction in [Direction.up, .down] {
                let burst = Burst(direction: direction, bytes: 10, airtime: .zero, cause: .payload)
                driver.flowed(burst, at: driver.now + .milliseconds(stamp))
                #expect(driver.radio.level == .tail, "\(stamp) ms")
            }
        }
    }

    @Test func anotherNetworkEndsTheConnection() {
        // Broken: a sleeping device keeps a state that the other network does not have.
        var driver = RadioDriver(Self.profile(Self.psm))
        driver.run(for: .seconds(3))
        let stays = driver.changeNetwork(to: Fixture.lte2021)
        var phone = RadioDriver(Fixture.lte2021)
        let joins = phone.changeNetwork(to: Self.profile(Self.psm))
        #expect(!stays && !joins)
    }

    @Test func occasionsAreInsideOfTheWindow() {
        // Broken: a device with eDRX is paged outside of its window, or at another occasion than within it.
        let paging = Cycle(period: .milliseconds(128))
        let found = [0, 1, 128, 895, 897, 5_120, 5_121].map { at in
            Self.extended.nextPaging(from: .zero + .milliseconds(at), paging, offset: 0).nanoseconds / 1_000_000
        }
        #expect(found == [0, 128, 128, 896, 5_120, 5_120, 5_248])
        #expect(Self.psm.nextPaging(from: .zero + .milliseconds(1), paging, offset: 0) == .zero + .milliseconds(128))
        #expect(Self.psm.isOn && Self.extended.isOn && !PowerSaving.none.isOn && !Self.extended.sleeps)
        #expect(Self.profile(Self.extended).powerSaving == Self.extended && Fixture.lte2021.powerSaving == nil)
        #expect(Self.profile(Self.psm).savesPower && !Fixture.umtsARO.savesPower && !Fixture.wifiARO.savesPower)
    }

    @Test func thePhaseOfALongCycleCoversIt() {
        // Broken: all devices with eDRX listen in the first paging cycle of their long cycle.
        let profile = Self.profile(Self.extended)
        let phases = (0..<200).map { RadioPhases.draw(profile, seed: $0, phone: PhoneID(1)).paging / 1_000_000 }
        #expect(phases.max()! > 4_500 && phases.min()! < 600 && phases.allSatisfy { $0 < 5_120 })
    }
}
