import DeadzoneBase
import DeadzoneDevice
import Testing

/// Each number of the shipped platforms, stated a second time. A number moves only together with this table, and so on
/// purpose.
@Suite struct PlatformNumbersTests {
    /// Values by the first release that has them, in milliseconds for times. `never` is the longest time.
    private static let android = """
        doze.light.inactive 7:300000 9:180000 12:60000 13:240000
        doze.light.inactive-window 12:60000
        doze.light.pre-idle 7:600000 9:180000 12:180000 13:0
        doze.light.idle 0:300000
        doze.light.idle-limit 0:900000
        doze.light.idle-window 12:60000
        doze.light.idle-window-limit 12:900000 13:60000 14:900000
        doze.light.idle-waits 0:0 12:1 13:0
        doze.light.budget 0:60000
        doze.light.budget-limit 0:300000
        doze.light.minimum 0:5000
        doze.deep.inactive 0:1800000
        doze.deep.idle-after-inactive 0:1800000
        doze.deep.sensing 0:240000
        doze.deep.locating 0:30000
        doze.deep.idle 0:3600000
        doze.deep.idle-limit 0:21600000
        doze.deep.maintenance 0:300000
        doze.deep.maintenance-limit 0:600000
        doze.deep.maintenance-minimum 0:30000
        doze.deep.early 0:1 12:0
        doze.deep.motion 0:600000
        doze.deep.alarm-clock 0:3600000 12:1800000
        doze.deep.quick-delay 10:60000
        doze.growth 0:2
        doze.work 0:0
        standby.lowest 0:0 9:3 12:4
        standby.active.jobs.count 9:75
        standby.active.jobs.period 9:600000 16:3600000
        standby.active.jobs.time 9:600000 16:1200000
        standby.working.alarms.count 9:1 11:10
        standby.working.alarms.period 9:360000 11:3600000
        standby.working.jobs.count 9:120
        standby.working.jobs.period 9:7200000 16:14400000
        standby.working.jobs.time 9:600000
        standby.frequent.alarms.count 9:1 11:2
        standby.frequent.alarms.period 9:1800000 11:3600000
        standby.frequent.jobs.count 9:200
        standby.frequent.jobs.period 9:28800000 16:43200000
        standby.frequent.jobs.time 9:600000
        standby.frequent.urgent-pushes 9:10 13:none
        standby.rare.alarms.count 9:1 11:1
        standby.rare.alarms.period 9:7200000 11:3600000
        standby.rare.jobs.count 9:48
        standby.rare.jobs.period 9:86400000
        standby.rare.jobs.time 9:600000
        standby.rare.urgent-pushes 9:5 13:none
        standby.rare.network 9:0
        standby.restricted.alarms.count 9:1 11:1
        standby.restricted.alarms.period 9:86400000 11:86400000
        standby.restricted.jobs.count 9:10
        standby.restricted.jobs.period 9:86400000
        standby.restricted.jobs.time 9:600000
        standby.restricted.urgent-pushes 9:5 13:none
        standby.restricted.network 9:0
        alarms.while-idle.count 0:1 12:72
        alarms.while-idle.period 0:540000 12:3600000
        alarms.while-idle.network 0:10000
        alarms.exemption-frees 0:1
        jobs.exemption-frees 0:0 7:1
        life.suspends-after 0:never 11:600000 14:10000
        life.services-run 0:1
        life.blocks-network-after 0:never 15:5000
        life.reclaims-sockets-after 0:never 14:0
        life.kills-after 0:never
        life.kills-for-good 0:0
        push.network 0:300000
        push.time 0:20000
        processor.sleeps 0:1
        processor.alarm 0:1000
        processor.packet 0:500
        processor.push 0:3000
        processor.job 0:10000
        processor.window 0:5000
        processor.power 0:157700
        processor.wake-up 0:100000
        saver.closes-network 0:0 7:1
        saver.defers-work 0:0 9:1
        data-saver.exists 0:0 7:1
        app-restriction.exists 0:0 9:1
        services.data-sync 0:never 15:21600000
        services.short 0:never 14:180000
        services.grace 0:10000
        networks.linger 0:30000
        networks.validation 0:500
        networks.destroys-sockets 0:0 7:1
        networks.leaves-sockets-frozen 0:0
        networks.lost-awake 0:60000
        networks.new-awake 0:1000
        """

    private static let ios = """
        life.suspends-after 0:5000
        life.task-time 0:600000 7:180000 13:30000
        life.task-warning 0:5000
        life.time-holds-processor 0:1
        life.reclaims-sockets-after 0:60000
        life.refresh-every 0:never 13:14400000
        life.refresh-time 0:30000
        life.kills-after 0:never
        push.time 0:30000
        push.quota.count 0:3
        push.quota.period 0:3600000
        processor.sleeps 0:1
        processor.packet 0:500
        processor.push 0:3000
        processor.power 0:157700
        processor.wake-up 0:100000
        networks.linger 0:30000
        networks.validation 0:500
        networks.destroys-sockets 0:0
        networks.leaves-sockets-frozen 0:1
        """

    private func text(_ number: Int64, _ parameter: PlatformParameter) -> String {
        guard case .span = parameter.destination else { return number == .max ? "none" : "\(number)" }
        return number == TimeSpan.longest.nanoseconds ? "never" : "\(number / 1_000_000)"
    }

    private func row(_ parameter: PlatformParameter) -> String {
        let values = parameter.values.map { "\($0.since):\(text($0.number, parameter))" }
        return "\(parameter.key) \(values.joined(separator: " "))"
    }

    @Test("Each number of Android and iOS stands in this table, by release")
    func releases() {
        for (family, table) in [(Platform.OSFamily.android, Self.android), (.ios, Self.ios)] {
            let rows = PlatformParameter.numbers(of: family).map(row)
            let expected = table.split(separator: "\n").map(String.init)
            #expect(rows.count == expected.count)
            for (row, expected) in zip(rows, expected) { #expect(row == expected) }
        }
    }

    @Test("A platform has the newest value that is not newer than its release, unless it has its own")
    func newestValue() {
        let own: [String: [String: String]] = [
            "android-oem-killer": ["life.kills-after": "300000", "life.kills-for-good": "1"],
            "article-android": [
                "doze.deep.inactive": "1000", "doze.deep.idle-after-inactive": "0", "doze.deep.sensing": "0",
                "doze.deep.locating": "0", "doze.deep.idle": "900000", "doze.deep.idle-limit": "1800000",
                "doze.deep.maintenance": "30000", "doze.deep.maintenance-limit": "30000", "doze.deep.early": "0",
            ],
            "android-14-oneui": [
                "doze.light.inactive": "60000", "doze.light.idle-waits": "1", "doze.deep.idle-after-inactive": "400700",
                "doze.deep.sensing": "0",
                "doze.deep.locating": "0",
            ],
            "android-15-hyperos": ["doze.light.inactive": "60000"],
            "article-ios": [
                "life.suspends-after": "30000", "life.task-time": "30000", "life.kills-after": "180000",
            ],
        ]
        let releases = [6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 11, 12, 15, 18, 6, 12, 14, 15]
        #expect(ShippedPlatform.all.map(\.release) == releases)
        #expect(ShippedPlatform.all.map(\.family) == (0..<18).map { [11, 12, 13, 15].contains($0) ? .ios : .android })
        var checked = 0
        for shipped in ShippedPlatform.all {
            let platform = shipped.platform
            for parameter in shipped.numbers {
                var expected: String?
                for value in parameter.values where value.since <= shipped.release {
                    expected = text(value.number, parameter)
                }
                if let value = own[shipped.name]?[parameter.key] { expected = value }
                #expect(shipped.value(parameter).map { text($0.number, parameter) } == expected, "\(parameter.key)")
                guard let expected else { continue }
                #expect(text(parameter.number(in: platform), parameter) == expected, "\(parameter.key)")
                checked += 1
            }
        }
        #expect(checked > 500)
    }

    @Test("A release without a parameter has the value that restricts nothing")
    func missingParameters() throws {
        let old = try #require(Platform.named("android-6"))
        #expect(old.doze.lightInactive == .longest && old.doze.quickDelay == .longest)
        #expect(old.standby.lowest == .active && old.standby.rare.jobs == .unlimited && old.standby.rare.hasNetwork)
        #expect(old.standby.rare.urgentPushes == Quota(.max, per: .hours(24)) && old.pushes.quota == .unlimited)
        #expect(old.standby.rare.jobTime == .longest && old.life.refreshEvery == .longest)
    }

    @Test("Writing a number and reading it back gives the same number in every place, and changes no other place")
    func roundTrip() {
        for family in [Platform.OSFamily.android, .ios] {
            let numbers = PlatformParameter.numbers(of: family)
            let blank = Platform(
                name: "blank", family: family, release: 1,
                networks: NetworkRules(
                    linger: .zero, validation: .zero, destroysSockets: false, leavesSocketsFrozen: false))
            for (index, parameter) in numbers.enumerated() {
                var platform = blank
                let isFlag = if case .flag = parameter.destination { true } else { false }
                let value = isFlag ? 1 - parameter.number(in: blank) : Int64(index % 2 == 0 ? 3 : 4)
                parameter.write(value, to: &platform)
                #expect(parameter.number(in: platform) == value, "\(parameter.key)")
                for other in numbers where other.key != parameter.key {
                    #expect(other.number(in: platform) == other.number(in: blank), "\(parameter.key), \(other.key)")
                }
            }
        }
    }

    @Test("Periods and repeating events take at least a second, the growth factor is at least one")
    func minima() {
        let repeats = PlatformParameter.numbers(of: .android).filter { $0.minimum == 1_000_000_000 }.map(\.key)
        #expect(
            repeats == [
                "doze.light.idle", "doze.light.idle-limit", "doze.light.budget", "doze.light.budget-limit",
                "doze.light.minimum", "doze.deep.idle", "doze.deep.idle-limit", "doze.deep.maintenance",
                "doze.deep.maintenance-limit", "doze.deep.maintenance-minimum", "doze.deep.motion",
                "standby.active.jobs.period", "standby.working.alarms.period", "standby.working.jobs.period",
                "standby.frequent.alarms.period", "standby.frequent.jobs.period", "standby.rare.alarms.period",
                "standby.rare.jobs.period", "standby.restricted.alarms.period", "standby.restricted.jobs.period",
                "alarms.while-idle.period",
            ])
        let ios = PlatformParameter.numbers(of: .ios).filter { $0.minimum == 1_000_000_000 }.map(\.key)
        #expect(ios == ["life.refresh-every", "push.quota.period"])
        let others = PlatformParameter.numbers(of: .android).filter { $0.minimum != 1_000_000_000 }
        for parameter in others { #expect(parameter.minimum == (parameter.key == "doze.growth" ? 1 : 0)) }
    }
}
