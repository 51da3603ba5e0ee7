import DeadzonePrimitives
import DeadzoneSystem
import DeadzoneWorld
import Testing

@testable import DeadzoneLive

/// The operating system around a program, with nobody's time.
struct LivePhoneTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func phone(_ platform: String) throws -> LivePhone {
        let world = try compiled(
            "phone: {platform: \(platform), radios: {wifi: wifi-galaxy-s2}}\ntimeline: [{at: 0s, wifi: home}]")
        return LivePhone(try #require(world.platform), standing: AppStanding())
    }

    /// Without notes.
    private static func deeds(_ phone: LivePhone) -> [(at: Instant, deed: LivePhone.Deed)] {
        phone.takeDeeds().filter { if case .note = $0.deed { false } else { true } }
    }

    @Test func anAppThatIsFrozenStandsStillUntilTheUserComes() throws {
        // Broken: a frozen app runs on, or one that the user has opened again stands still.
        let phone = try Self.phone("{profile: android-14, processor.sleeps: false, life.suspends-after: 10s}")
        let isHidden = phone.enact(.app(foreground: false), at: Self.at(5))
        #expect(isHidden == true && Self.deeds(phone).isEmpty && !phone.isStanding)
        phone.advance(to: Self.at(100))
        #expect(phone.isStanding)
        let isShown = phone.enact(.app(foreground: true), at: Self.at(200))
        #expect(isShown == true && !phone.isStanding)
        let deeds = Self.deeds(phone).filter { [.stop, .goOn].contains($0.deed) }
        #expect(deeds.map(\.deed) == [.stop, .goOn] && deeds.map(\.at) == [Self.at(15), Self.at(200)])
    }

    @Test func dozeClosesTheNetworkAndWindowsOpenIt() throws {
        // Broken: packets pass in Doze, or in none of its windows.
        let phone = try Self.phone("{profile: android-9, processor.sleeps: false}")
        _ = phone.enact(.screen(false), at: Self.at(10))
        phone.advance(to: Self.at(4 * 3_600))
        _ = phone.enact(.screen(true), at: Self.at(4 * 3_600))
        let doors = Self.deeds(phone).map(\.deed).filter { $0 == .close || $0 == .open }
        #expect(doors.count >= 6 && doors.first == .close && doors.last == .open, "\(doors)")
        for (one, next) in zip(doors, doors.dropFirst()) { #expect(one != next) }
    }

    @Test func aPacketWakesAPhoneThatSleeps() throws {
        // Broken: a program runs while the processor sleeps, or sleeps through what comes in.
        let phone = try Self.phone("{profile: android-14, life.suspends-after: never}")
        _ = phone.enact(.screen(false), at: Self.at(10))
        phone.advance(to: Self.at(60))
        #expect(phone.isStanding)
        phone.wake(for: .payload, at: Self.at(70))
        #expect(!phone.isStanding)
        phone.advance(to: Self.at(90))
        #expect(phone.isStanding)
    }

    @Test func aPushWaitsForTheSystemsLeave() throws {
        // Broken: a push that may wait gets through Doze, or an urgent one does not, or one that is lost is forgotten.
        for (isUrgent, comes) in [(true, true), (false, false)] {
            let phone = try Self.phone("{profile: android-14, processor.sleeps: false}")
            _ = phone.enact(.screen(false), at: Self.at(10))
            phone.advance(to: Self.at(3 * 3_600))
            phone.pushes.ask(isUrgent: isUrgent, at: Self.at(3 * 3_600))
            #expect(phone.pushes.wish == .send)
            phone.pushes.sent()
            phone.pushes.lose(at: Self.at(3 * 3_600))
            #expect(phone.dueAt <= Self.at(3 * 3_600 + 1))
            phone.pushes.arrive()
            let isIn = phone.handOver(at: Self.at(3 * 3_600 + 1))
            #expect(isIn == comes)
        }
    }

    @Test func whoIsEndedIsStartedByTheUserAlone() throws {
        // Broken: an app that was ended comes back by itself, or never.
        let phone = try Self.phone("android-14")
        let isEnded = phone.enact(.forceStop, at: Self.at(5))
        phone.advance(to: Self.at(3_600))
        #expect(isEnded == true && Self.deeds(phone).map(\.deed) == [.end])
        _ = phone.enact(.app(foreground: true), at: Self.at(3_700))
        #expect(Self.deeds(phone).map(\.deed).contains(.start))
        #expect(phone.enact(.cellHandover, at: Self.at(3_800)) == nil)
    }

    @Test func aFirewallThatEndsSocketsDoesSoAsItCloses() throws {
        // Broken: sockets live on behind a firewall that destroys them, or die behind one that does not.
        for (destroys, deeds) in [(true, [LivePhone.Deed.endSockets, .close]), (false, [.close])] {
            let phone = try Self.phone(
                """
                {profile: android-9, processor.sleeps: false, life.suspends-after: never, \
                networks.destroys-sockets: \(destroys)}
                """)
            _ = phone.enact(.screen(false), at: Self.at(10))
            phone.advance(to: Self.at(1_800))
            #expect(Array(Self.deeds(phone).map(\.deed).prefix(deeds.count)) == deeds)
        }
    }
}

/// The same with real programs.
@Suite(.enabled(if: Live.isWanted, "\(Live.advice)"))
struct PhoneProgramTests {
    @Test func aFrozenAppStandsStill() throws {
        // Broken: nobody stops the process, or nobody lets it run again. In the background at 2 s, frozen at 3 s, back at 7 s.
        let outcome = try Live.outcome(.frozenApp)
        let stood = outcome.told("stood").compactMap { $0.words.first.flatMap { Double($0) } }
        #expect(stood.contains { (3.5...4.7).contains($0) }, "\(outcome.said)")
        #expect(outcome.metric("app.suspended_s") == 4)
    }

    @Test func dozeClosesTheNetworkToAProgram() throws {
        // Broken: packets pass in Doze, or not in its window. Dark at 2 s, idle at 4 s, a window at 8 s, lit at 13 s.
        let heard = try Live.outcome(.doze).told("heard").map(\.at)
        #expect(!heard.contains { (4.5...7.3).contains($0) }, "\(heard)")
        for range in [0.0...3.8, 7.5...10.5, 13...16] {
            #expect(heard.contains { range.contains($0) }, "\(heard): nothing in \(range)")
        }
    }

    @Test func namesFailAndComeBack() throws {
        // Broken: names do not go over the road, or resolve whatever the scenario says. Down from 3 s to 8 s.
        let found = try Live.outcome(.names).told("found")
        let server = found.filter { $0.words.first == "203.0.113.1" }.map(\.at)
        #expect(server.contains { $0 < 3 } && server.contains { $0 > 7.3 }, "\(found)")
        // Two questions, a second each.
        let failed = found.filter { $0.words.first == "nothing" }.compactMap { $0.words.last.flatMap { Double($0) } }
        #expect(!failed.isEmpty && failed.allSatisfy { (1.8...2.9).contains($0) }, "\(found)")
        #expect(!server.contains { (3.2...6.8).contains($0) }, "\(found)")
    }

    @Test func whatIsRefusedToAnAppVanishes() throws {
        // Broken: packets of an app pass that may not have the network, or none after it may. Refused from 2 s to 5 s.
        let outcome = try Live.outcome(.access)
        let heard = outcome.told("heard").map(\.at)
        #expect(!heard.contains { (2.3...4.7).contains($0) }, "\(outcome.said)")
        for range in [0.0...2.0, 5...8] {
            #expect(heard.contains { range.contains($0) }, "\(heard): nothing in \(range)")
        }
        #expect(outcome.own["unenacted"] == nil && !outcome.said.contains("access"), "\(outcome.said)")
    }

    @Test func anUrgentPushWakesAFrozenApp() throws {
        // Broken: a push costs no bits, or comes to nobody, or its hook comes before it.
        let outcome = try Live.outcome(.push)
        #expect(outcome.metric("push.woken") == 1, "\(outcome.said)")
        let stood = outcome.told("stood").compactMap { told in told.words.first.flatMap { (told.at, Double($0) ?? 0) } }
        #expect(stood.contains { (5.5...7).contains($0.0) && (2.5...3.7).contains($0.1) }, "\(outcome.said)")
        #expect((outcome.own["energy"] as? [String: Any])?["by_cause"].map { "\($0)".contains("push") } == true)
    }

    @Test func aPortalAnswersForEverybody() throws {
        // Broken: the server is reached before somebody has signed in, or never after.
        let heard = try Live.outcome(.portal).told("heard")
        let (before, after) = (heard.filter { $0.at < 3.5 }, heard.filter { $0.at > 4.5 })
        #expect(before.count > 2 && before.allSatisfy { $0.words == ["HTTP/1.1"] }, "\(heard)")
        #expect(after.count > 2 && after.allSatisfy { $0.words == ["7"] }, "\(heard)")
    }
}
