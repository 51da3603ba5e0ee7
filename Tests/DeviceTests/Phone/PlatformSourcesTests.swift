import DeadzoneBase
import Testing

@testable import DeadzoneDevice

/// The trust and the citation of each number of the shipped platforms, stated a second time.
@Suite struct PlatformSourcesTests {
    /// By the first release that has the number: the letter of its trust, and the name of its citation if it has one.
    private static let android = """
        doze.light.inactive 7:R:doze7 9:R:doze9 12:R:doze 13:R:doze15
        doze.light.inactive-window 12:R:doze
        doze.light.pre-idle 7:R:doze7 9:R:doze9 12:R:doze 13:R:doze15
        doze.light.idle 0:R:doze
        doze.light.idle-limit 0:R:doze
        doze.light.idle-window 12:R:doze
        doze.light.idle-window-limit 12:R:doze 13:R:doze13 14:R:doze15
        doze.light.idle-waits 0:R:doze7 12:R:doze 13:R:doze13
        doze.light.budget 0:R:doze
        doze.light.budget-limit 0:R:doze
        doze.light.minimum 0:R:doze
        doze.deep.inactive 0:R:doze
        doze.deep.idle-after-inactive 0:R:doze
        doze.deep.sensing 0:R:doze
        doze.deep.locating 0:R:doze
        doze.deep.idle 0:R:doze
        doze.deep.idle-limit 0:R:doze
        doze.deep.maintenance 0:R:doze
        doze.deep.maintenance-limit 0:R:doze
        doze.deep.maintenance-minimum 0:R:doze
        doze.deep.early 0:R:alarms11 12:R:alarms
        doze.deep.motion 0:R:doze
        doze.deep.alarm-clock 0:R:doze7 12:R:doze
        doze.deep.quick-delay 10:R:doze
        doze.growth 0:R:doze
        doze.work 0:C:dozeDumps
        standby.lowest 0:S:buckets 9:S:buckets 12:S:buckets
        standby.active.jobs.count 9:R:jobs
        standby.active.jobs.period 9:R:jobs 16:S:power
        standby.active.jobs.time 9:R:jobs 16:S:power
        standby.working.alarms.count 9:R:alarms 11:R:alarms
        standby.working.alarms.period 9:R:alarms 11:R:alarms
        standby.working.jobs.count 9:R:jobs
        standby.working.jobs.period 9:R:jobs 16:S:power
        standby.working.jobs.time 9:R:jobs
        standby.frequent.alarms.count 9:R:alarms 11:R:alarms
        standby.frequent.alarms.period 9:R:alarms 11:R:alarms
        standby.frequent.jobs.count 9:R:jobs
        standby.frequent.jobs.period 9:R:jobs 16:S:power
        standby.frequent.jobs.time 9:R:jobs
        standby.frequent.urgent-pushes 9:R:power 13:R:power
        standby.rare.alarms.count 9:R:alarms 11:R:alarms
        standby.rare.alarms.period 9:R:alarms 11:R:alarms
        standby.rare.jobs.count 9:R:jobs
        standby.rare.jobs.period 9:R:jobs
        standby.rare.jobs.time 9:R:jobs
        standby.rare.urgent-pushes 9:R:power 13:R:power
        standby.rare.network 9:R:power
        standby.restricted.alarms.count 9:R:alarms 11:R:alarms
        standby.restricted.alarms.period 9:R:alarms 11:R:alarms
        standby.restricted.jobs.count 9:R:jobs
        standby.restricted.jobs.period 9:R:jobs
        standby.restricted.jobs.time 9:R:jobs
        standby.restricted.urgent-pushes 9:R:power 13:R:power
        standby.restricted.network 9:R:power
        alarms.while-idle.count 0:R:dozeGuide 12:R:alarms15
        alarms.while-idle.period 0:R:dozeGuide 12:R:alarms15
        alarms.while-idle.network 0:R:alarms
        alarms.exemption-frees 0:R:alarms15
        jobs.exemption-frees 0:K:dozeGuide 7:K:dozeGuide
        life.suspends-after 0:K 11:S:freezer 14:S:freezer
        life.services-run 0:S:freezer
        life.blocks-network-after 0:A 15:K:netPolicyName
        life.reclaims-sockets-after 0:A 14:K:frozenUIDs
        life.kills-after 0:A
        life.kills-for-good 0:A
        push.network 0:R:doze
        push.time 0:K:firebase
        processor.sleeps 0:K
        processor.alarm 0:A
        processor.packet 0:R:wake
        processor.push 0:A
        processor.job 0:A
        processor.window 0:R:doze
        processor.power 0:D:pixel
        processor.wake-up 0:A
        saver.closes-network 0:K 7:R:networkPolicy
        saver.defers-work 0:K 9:R:appState
        data-saver.exists 0:R:dataSaver 7:R:dataSaver
        app-restriction.exists 0:R:restriction 9:R:restriction
        services.data-sync 0:R:serviceTimeout 15:R:serviceTimeout
        services.short 0:K 14:R:serviceConstants
        services.grace 0:R:serviceConstants
        networks.linger 0:S:connectivity
        networks.validation 0:A
        networks.destroys-sockets 0:S:destroy 7:S:destroy
        networks.leaves-sockets-frozen 0:A
        networks.lost-awake 0:S:transition
        networks.new-awake 0:S:transition
        """

    private static let ios = """
        life.suspends-after 0:S:background
        life.task-time 0:S:task 7:S:task 13:S:task
        life.task-warning 0:A
        life.time-holds-processor 0:S:task
        life.reclaims-sockets-after 0:A:sockets
        life.refresh-every 0:K:refresh 13:A
        life.refresh-time 0:S:refresh
        life.kills-after 0:S:task
        push.time 0:S:pushes
        push.quota.count 0:R:pushes
        push.quota.period 0:R:pushes
        processor.sleeps 0:K
        processor.packet 0:A
        processor.push 0:A
        processor.power 0:A
        processor.wake-up 0:A
        networks.linger 0:A
        networks.validation 0:A
        networks.destroys-sockets 0:S:frozen
        networks.leaves-sockets-frozen 0:S:frozen
        """

    private static let citations = [
        ("alarms", Citation.alarms), ("alarms11", Citation.alarms11), ("alarms15", Citation.alarms15),
        ("appState", Citation.appState), ("background", Citation.background), ("buckets", Citation.buckets),
        ("connectivity", Citation.connectivity), ("dataSaver", Citation.dataSaver), ("destroy", Citation.destroy),
        ("doze", Citation.doze), ("doze13", Citation.doze13), ("doze15", Citation.doze15), ("doze7", Citation.doze7),
        ("doze9", Citation.doze9), ("dozeDumps", Citation.dozeDumps), ("dozeGuide", Citation.dozeGuide),
        ("freezer", Citation.freezer), ("frozen", Citation.frozen), ("jobs", Citation.jobs),
        ("networkPolicy", Citation.networkPolicy), ("pixel", Citation.pixel), ("power", Citation.power),
        ("pushes", Citation.pushes), ("refresh", Citation.refresh), ("restriction", Citation.restriction),
        ("serviceConstants", Citation.serviceConstants), ("serviceTimeout", Citation.serviceTimeout),
        ("sockets", Citation.sockets), ("task", Citation.task), ("transition", Citation.transition),
        ("wake", Citation.wake), ("netPolicyName", "NetworkPolicyManagerService, BACKGROUND_THRESHOLD_STATE"),
        ("frozenUIDs", "ConnectivityService, frozen UIDs"),
        ("firebase", "firebase.google.com/docs/cloud-messaging/android/receive"),
    ]

    private func text(_ value: PlatformParameter.ReleaseValue) -> String {
        let name = Self.citations.first { $0.1 == value.source }?.0 ?? value.source
        return "\(value.since):\(value.trust.rawValue)" + (name.isEmpty ? "" : ":\(name)")
    }

    /// Broken: `explain android-9` prints a remark, or the address of another file, as the source of a number.
    @Test func everyNumberHasItsSource() {
        for (family, table) in [(Platform.OSFamily.android, Self.android), (.ios, Self.ios)] {
            let rows = PlatformParameter.numbers(of: family).map { parameter in
                "\(parameter.key) \(parameter.values.map(text).joined(separator: " "))"
            }
            let expected = table.split(separator: "\n").map(String.init)
            #expect(rows.count == expected.count)
            for (row, expected) in zip(rows, expected) { #expect(row == expected) }
        }
    }

    /// Broken: a citation is printed as a remark.
    @Test func noRemarkIsACitation() {
        var remarks = 0
        for family in [Platform.OSFamily.android, .ios] {
            for value in PlatformParameter.numbers(of: family).flatMap(\.values) where !value.note.isEmpty {
                remarks += 1
                #expect(!Self.citations.contains { $0.1 == value.note }, "\(value.note)")
            }
        }
        #expect(remarks > 30)
    }

    /// Broken: a number of a manufacturer's platform, or of the articles, has another source than its measurement.
    @Test func ownNumbersHaveTheirSources() {
        let expected = [
            "android-oem-killer": ["A \(Citation.dontKill)", "S \(Citation.dontKill)"],
            "article-android": Array(repeating: "A ", count: 5) + Array(repeating: "R \(Citation.articles)", count: 2)
                + Array(repeating: "A ", count: 2),
            "article-ios": Array(repeating: "R \(Citation.articles)", count: 3),
            "android-14-oneui": Array(repeating: "C \(Citation.oneUIHistory)", count: 5),
            "android-15-hyperos": ["C \(Citation.hyperOSHistory)"],
        ]
        var found: [String: [String]] = [:]
        for platform in ShippedPlatform.all where !platform.own.isEmpty {
            found[platform.name] = platform.own.map { "\($0.value.trust.rawValue) \($0.value.source)" }
        }
        #expect(found == expected)
    }
}
