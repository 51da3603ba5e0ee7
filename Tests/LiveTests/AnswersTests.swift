import struct DeadzoneCaptures.IPAddress
import DeadzoneNetwork
import DeadzonePrimitives
import Testing

@testable import DeadzoneLive

/// Who answers in the server's place: names, and a page that asks to sign in.
struct AnswersTests {
    private static let home = "phone: {radios: {wifi: wifi-galaxy-s2}}\ntimeline: [{at: 0s, wifi: home}]\n"

    private static func question(_ name: String, kind: UInt8 = 1) -> [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
        return [0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, kind, 0, 1]
    }

    private static func names(_ resolver: Resolver = Resolver()) -> NameServer {
        NameServer(resolver, names: ["server.test"], server: Ends.server)
    }

    @Test func aNameHasTheServersAddress() throws {
        // Broken: the answer is another one, of another question, or none where a client asks in its own way.
        let answer = try #require(Self.names().answer(to: Self.question("Server.Test")[...]))
        #expect(Array(answer[..<8]) == [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1])
        #expect(Array(answer.suffix(14)) == [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 1])
        // With an option behind the question, as libraries have it.
        #expect(
            Self.names().answer(to: (Self.question("server.test") + [0, 0, 41, 4, 0])[...])
                == Optional(
                    [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + Self.question("server.test")[12...]
                        + answer.suffix(16)))
        #expect(Self.names().answer(to: Self.question("other.test")[...])?[3] == 0x83)
        #expect(Self.names().answer(to: Self.question("server.test", kind: 28)[...])?[7] == 0)
    }

    @Test func whatFailsFailsAsTheScenarioHasIt() {
        // Broken: silence and refusal are one, or an address that nobody has is the server's.
        let question = Self.question("server.test")[...]
        for (failing, code) in [(Resolver.Failing.silent, UInt8?.none), (.refusing, 0x82)] {
            var names = Self.names(Resolver(failing: failing))
            names.resolves = false
            #expect(names.answer(to: question)?[3] == code)
        }
        #expect(Self.names(Resolver(ipv4: .broken)).answer(to: question)?.suffix(4) == [203, 0, 113, 99])
        #expect(Self.names(Resolver(ipv4: .absent)).answer(to: question)?[7] == 0)
        #expect(Self.names(Resolver(ipv4: .unanswered)).answer(to: question) == nil)
    }

    @Test func whatIsNoQuestionHasNoAnswer() {
        // Broken: bytes are read beyond their end.
        let whole = Self.question("server.test")
        for count in 0..<whole.count { #expect(Self.names().answer(to: whole[..<count]) == nil) }
        for byte in UInt8.min...UInt8.max {
            _ = Self.names().answer(to: ([0, 0, 1, 0, 0, 1] + Array(repeating: byte, count: 30))[...])
        }
        #expect(Self.names().answer(to: ([0, 0, 0x80] + whole[3...])[...]) == nil)
    }

    @Test func namesAreAskedForOverTheRoad() throws {
        // Broken: names do not meet the radio and the link, or resolve in the dark.
        var road = try Road.onWiFi(Self.home + "links: {wifi: {delay: 40ms}}")
        road.names = NameServer(Resolver(work: .milliseconds(7)), names: ["server.test"], server: Ends.server)
        let asked = Datagram.message(
            from: .init(.ipv4(Ends.phone.ipv4), 5_000), to: .init(.ipv4(NameServer.address.ipv4), 53),
            payload: Self.question("server.test"))
        let at = Instant.zero + .seconds(1)
        let arrivals = road.arrivals(of: asked, at: at)
        #expect(arrivals.count == 1 && arrivals.allSatisfy { $0.0 - at >= .milliseconds(87) })
        if case .server? = arrivals.first?.1 { Issue.record("the server got a question") }
        let isDark = road.cover(.wifi, false)
        #expect(isDark)
        road.expect(0, of: asked, at: at + .seconds(60))
    }

    @Test func aPortalAnswersUntilSomebodyHasSignedIn() throws {
        // Broken: the server hears of a client before that, or the portal does not go.
        var road = Road(try compiled(Self.home), seed: 1, phone: PhoneID(0))
        let isRaised = road.raise(.wifi, Ends.phone, usableAfter: .zero, portal: .seconds(30))
        #expect(isRaised)
        let at = Instant.zero + .seconds(1)
        let turns: [(Datagram, Datagram.Flags)] = [
            (Ends.segment(.up, [.syn], sequence: 5), [.syn, .ack]),
            (Ends.segment(.up, [.ack], sequence: 6, payload: [1]), [.ack, .fin]),
            (Ends.segment(.up, [.fin, .ack], sequence: 7), [.ack]),
        ]
        for (packet, flags) in turns {
            road.advance(to: max(road.now, at))
            road.send(packet)
            road.advance(to: road.now + .seconds(5))
            let arrived = road.takeArrived()
            #expect(arrived.count == 1 && arrived.first?.packet.flags == flags)
            #expect(arrived.first?.packet.acknowledgement == packet.nextSequence)
        }
        road.send(Ends.segment(.up, [.ack], sequence: 6))
        road.answer(Ends.segment(.down, [.ack]))
        road.advance(to: at + .seconds(25))
        #expect(road.takeArrived().isEmpty, "an acknowledgement has an answer, or the server got through")
        let late = road.arrivals(of: Ends.segment(.up, [.syn], port: 2), at: at + .seconds(60))
        #expect(late.count == 1)
        if case .phone? = late.first?.1 { Issue.record("the portal still answers") }
    }

    @Test func aFirewallLetsNothingPass() throws {
        // Broken: packets leave a phone whose network is closed; what comes in wakes it, and is not heard.
        var road = try Road.onWiFi(Self.home)
        road.isClosed = true
        road.expect(0, of: Ends.udp(), at: .zero + .seconds(1))
        road.answer(Ends.segment(.down, [.ack]))
        road.advance(to: .zero + .seconds(30))
        #expect(road.takeArrived().count == 1 && road.watch.flows.allSatisfy { $0.longestSilence == .zero })
        road.isClosed = false
        road.expect(1, of: Ends.udp(), at: .zero + .seconds(40))
    }
}
