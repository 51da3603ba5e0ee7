import DeadzoneBase
import DeadzoneSimulator
import Testing

@testable import DeadzoneLive

/// Tests of the simulated operating system around a program, without real time.
struct LivePhoneTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func phone(_ platform: String) throws -> LivePhone {
        let world = try compiled(
            "phone: {platform: \(platform), radios: {wifi: wifi-galaxy-s2}}\ntimeline: [{at: 0s, wifi: home}]")
        return LivePhone(try #require(world.platform), privileges: AppPrivileges())
    }

    /// Actions without journal entries.
    private static func actions(_ phone: LivePhone) -> [(at: Instant, action: LivePhone.LiveAction)] {
        phone.takeActions().filter { if case .journal = $0.action { false } else { true } }
    }

    @Test func aFrozenAppIsStoppedUntilTheUserReturns() throws {
        // Broken: a frozen app keeps running, or one that the user has reopened stays stopped.
        let phone = try Self.phone("{profile: android-14, processor.sleeps: false, life.suspends-after: 10s}")
        let isHidden = phone.apply(.app(foreground: false), at: Self.at(5))
        #expect(isHidden == true && Self.actions(phone).isEmpty && !phone.isSuspended)
        phone.advance(to: Self.at(100))
        #expect(phone.isSuspended)
        let isShown = phone.apply(.app(foreground: true), at: Self.at(200))
        #expect(isShown == true && !phone.isSuspended)
        let actions = Self.actions(phone).filter { [.stop, .resume].contains($0.action) }
        #expect(actions.map(\.action) == [.stop, .resume] && actions.map(\.at) == [Self.at(15), Self.at(200)])
    }

    @Test func dozeClosesTheNetworkAndWindowsOpenIt() throws {
        // Broken: packets pass in Doze, or do not pass in its windows.
        let phone = try Self.phone("{profile: android-9, processor.sleeps: false}")
        _ = phone.apply(.screen(false), at: Self.at(10))
        phone.advance(to: Self.at(4 * 3_600))
        _ = phone.apply(.screen(true), at: Self.at(4 * 3_600))
        let doors = Self.actions(phone).map(\.action).filter { $0 == .closeFirewall || $0 == .openFirewall }
        #expect(doors.count >= 6 && doors.first == .closeFirewall && doors.last == .openFirewall, "\(doors)")
        for (one, next) in zip(doors, doors.dropFirst()) { #expect(one != next) }
    }

    @Test func aPacketWakesASleepingPhone() throws {
        // Broken: a program runs while the processor sleeps, or incoming packets do not wake it.
        let phone = try Self.phone("{profile: android-14, life.suspends-after: never}")
        _ = phone.apply(.screen(false), at: Self.at(10))
        phone.advance(to: Self.at(60))
        #expect(phone.isSuspended)
        phone.wake(for: .payload, at: Self.at(70))
        #expect(!phone.isSuspended)
        phone.advance(to: Self.at(90))
        #expect(phone.isSuspended)
    }

    @Test func aPushWaitsUntilTheSystemAllowsIt() throws {
        // Broken: a normal push passes in Doze, an urgent one does not, or a lost push is not sent again.
        for (isUrgent, comes) in [(true, true), (false, false)] {
            let phone = try Self.phone("{profile: android-14, processor.sleeps: false}")
            _ = phone.apply(.screen(false), at: Self.at(10))
            phone.advance(to: Self.at(3 * 3_600))
            phone.pushes.request(isUrgent: isUrgent, at: Self.at(3 * 3_600))
            #expect(phone.pushes.nextAction == .send)
            phone.pushes.sent()
            phone.pushes.scheduleRepeat(at: Self.at(3 * 3_600))
            #expect(phone.dueAt <= Self.at(3 * 3_600 + 1))
            phone.pushes.arrive()
            let isIn = phone.deliverPush(at: Self.at(3 * 3_600 + 1))
            #expect(isIn == comes)
        }
    }

    @Test func onlyTheUserRestartsAForceStoppedApp() throws {
        // Broken: an app that was force-stopped restarts by itself, or never.
        let phone = try Self.phone("android-14")
        let isEnded = phone.apply(.forceStop, at: Self.at(5))
        phone.advance(to: Self.at(3_600))
        #expect(isEnded == true && Self.actions(phone).map(\.action) == [.endProcess])
        _ = phone.apply(.app(foreground: true), at: Self.at(3_700))
        #expect(Self.actions(phone).map(\.action).contains(.startProcess))
        #expect(phone.apply(.cellHandover, at: Self.at(3_800)) == nil)
    }

    @Test func aClosingFirewallDestroysSocketsIfConfigured() throws {
        // Broken: sockets survive a firewall that destroys them, or die behind one that does not.
        for (destroys, actions) in [
            (true, [LivePhone.LiveAction.endSockets, .closeFirewall]), (false, [.closeFirewall]),
        ] {
            let phone = try Self.phone(
                """
                {profile: android-9, processor.sleeps: false, life.suspends-after: never, \
                networks.destroys-sockets: \(destroys)}
                """)
            _ = phone.apply(.screen(false), at: Self.at(10))
            phone.advance(to: Self.at(1_800))
            #expect(Array(Self.actions(phone).map(\.action).prefix(actions.count)) == actions)
        }
    }
}

/// The same with real programs. A busy machine starts a program late by an unknown time. So its clock is not compared with
/// the run's clock, only the lengths and the order of what it saw.
@Suite(.enabled(if: Live.isWanted, "\(Live.advice)"))
struct PhoneProgramTests {
    @Test func aFrozenAppIsStopped() throws {
        // Broken: the process is not stopped, or does not continue. In the background at 5 s, frozen at 6 s, back at 10
        // s. By then the program runs, even on a busy machine.
        let outcome = try Live.outcome(.frozenApp)
        let stood = outcome.reportedLines("stood").compactMap { $0.words.first.flatMap { Double($0) } }
        #expect(stood.contains { (3...6).contains($0) }, "\(outcome.said)")
        #expect(outcome.metric("app.suspended_s") == 4)
    }

    @Test func dozeClosesTheNetworkToAProgram() throws {
        // Broken: packets pass in Doze, or not in its window. Screen off at 2 s, idle at 4 s, a window at 8 s, screen
        // on at 13 s.
        let heard = try Live.outcome(.doze).reportedLines("heard").map(\.at)
        let silences = Self.silences(heard, over: 1.5)
        #expect(silences.count == 2 && silences.allSatisfy { (1.8...5.5).contains($0) }, "\(heard)")
        #expect((3...5.5).contains(silences.first ?? 0), "\(heard)")
    }

    @Test func namesFailAndComeBack() throws {
        // Broken: name queries do not cross the simulated path, or resolve against the scenario. DNS is down from 3 s
        // to 8 s.
        let found = try Live.outcome(.names).reportedLines("found")
        let server = found.filter { $0.words.first == "203.0.113.1" }.map(\.at)
        #expect(Self.silences(server, over: 1.5).map { (4...7).contains($0) } == [true], "\(found)")
        // Two queries, a second each.
        let failed = found.filter { $0.words.first == "nothing" }.compactMap { $0.words.last.flatMap { Double($0) } }
        #expect(!failed.isEmpty && failed.allSatisfy { (1.8...2.9).contains($0) }, "\(found)")
    }

    @Test func refusedPacketsVanish() throws {
        // Broken: packets of an app without network access pass, or none pass once it has access. Refused from 2 s to 5
        // s.
        let outcome = try Live.outcome(.access)
        let heard = outcome.reportedLines("heard").map(\.at)
        #expect(Self.silences(heard, over: 1.5).map { (2.4...4.5).contains($0) } == [true], "\(heard)")
        #expect(outcome.own["unenacted"] == nil && !outcome.said.contains("access"), "\(outcome.said)")
    }

    @Test func anUrgentPushWakesAFrozenApp() throws {
        // Broken: a push costs no energy, or does not wake the app, or its hook runs before it.
        let outcome = try Live.outcome(.push)
        #expect(outcome.metric("push.woken") == 1, "\(outcome.said)")
        let stood = outcome.reportedLines("stood").compactMap { $0.words.first.flatMap { Double($0) } }
        #expect(stood.contains { (2.5...3.7).contains($0) }, "\(outcome.said)")
        #expect((outcome.own["energy"] as? [String: Any])?["by_cause"].map { "\($0)".contains("push") } == true)
    }

    @Test func aPortalAnswersForAllServers() throws {
        // Broken: the server is reached before sign-in, or never after it.
        let heard = try Live.outcome(.portal).reportedLines("heard").map(\.words)
        let before = heard.prefix { $0 == ["HTTP/1.1"] }
        let after = heard.dropFirst(before.count)
        #expect(before.count > 2 && after.count > 2 && after.allSatisfy { $0 == ["7"] }, "\(heard)")
    }

    /// Lengths of the pauses between these times that are longer than `least` seconds.
    private static func silences(_ times: [Double], over least: Double) -> [Double] {
        zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > least }
    }
}
