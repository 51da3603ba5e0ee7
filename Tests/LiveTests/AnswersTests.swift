import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneTransport
import Testing

@testable import DeadzoneLive

/// Answers that are not from the server: name resolution and a captive portal.
struct AnswersTests {
    private static let home = "phone: {radios: {wifi: wifi-galaxy-s2}}\ntimeline: [{at: 0s, wifi: home}]\n"

    private static func question(_ name: String, kind: UInt8 = 1) -> [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
        return [0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + labels + [0, 0, kind, 0, 1]
    }

    private static func names(_ resolver: Resolver = Resolver()) -> NameServer {
        NameServer(resolver, names: ["server.test"], server: TestEndpoints.server)
    }

    @Test func aNameResolvesToTheServersAddress() throws {
        // Broken: the answer is wrong, belongs to another query, or is missing for an unusual but valid query.
        let answer = try #require(Self.names().answer(to: Self.question("Server.Test")[...]))
        #expect(Array(answer[..<8]) == [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1])
        #expect(Array(answer.suffix(14)) == [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 1])
        // With an option after the question, as many libraries send it.
        #expect(
            Self.names().answer(to: (Self.question("server.test") + [0, 0, 41, 4, 0])[...])
                == Optional(
                    [0xab, 0xcd, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0] + Self.question("server.test")[12...]
                        + answer.suffix(16)))
        #expect(Self.names().answer(to: Self.question("other.test")[...])?[3] == 0x83)
        #expect(Self.names().answer(to: Self.question("server.test", kind: 28)[...])?[7] == 0)
    }

    @Test func resolutionFailsAsTheScenarioDefines() {
        // Broken: silence and refusal are the same, or an unused address becomes the server's.
        let question = Self.question("server.test")[...]
        for (failureMode, code) in [(Resolver.FailureMode.silent, UInt8?.none), (.refusing, 0x82)] {
            var names = Self.names(Resolver(failureMode: failureMode))
            names.resolves = false
            #expect(names.answer(to: question)?[3] == code)
        }
        #expect(Self.names(Resolver(ipv4: .broken)).answer(to: question)?.suffix(4) == [203, 0, 113, 99])
        #expect(Self.names(Resolver(ipv4: .absent)).answer(to: question)?[7] == 0)
        #expect(Self.names(Resolver(ipv4: .unanswered)).answer(to: question) == nil)
        // Networks of one interface may have other families.
        var divided = Resolver()
        divided.cellular.ipv4 = .broken
        #expect(Self.names(divided).answer(to: question, on: .cellular)?.suffix(4) == [203, 0, 113, 99])
        #expect(Self.names(divided).answer(to: question, on: .wifi)?.suffix(4) != [203, 0, 113, 99])
    }

    @Test func malformedQueriesGetNoAnswer() {
        // Broken: bytes are read beyond their end.
        let whole = Self.question("server.test")
        for count in 0..<whole.count { #expect(Self.names().answer(to: whole[..<count]) == nil) }
        for byte in UInt8.min...UInt8.max {
            _ = Self.names().answer(to: ([0, 0, 1, 0, 0, 1] + Array(repeating: byte, count: 30))[...])
        }
        #expect(Self.names().answer(to: ([0, 0, 0x80] + whole[3...])[...]) == nil)
    }

    @Test func nameQueriesCrossTheSimulatedPath() throws {
        // Broken: name queries skip the radio and the link, or resolve without coverage.
        var road = try LivePath.onWiFi(Self.home + "links: {wifi: {delay: 40ms}}")
        road.names = NameServer(Resolver(work: .milliseconds(7)), names: ["server.test"], server: TestEndpoints.server)
        let asked = Datagram.message(
            from: .init(.ipv4(TestEndpoints.phone.ipv4), 5_000), to: .init(.ipv4(NameServer.address.ipv4), 53),
            payload: Self.question("server.test"))
        let at = Instant.zero + .seconds(1)
        let arrivals = road.arrivals(of: asked, at: at)
        #expect(arrivals.count == 1 && arrivals.allSatisfy { $0.0 - at >= .milliseconds(87) })
        if case .server? = arrivals.first?.1 { Issue.record("the server got a query") }
        let isDark = road.changeCoverage(.wifi, false)
        #expect(isDark)
        road.expect(0, of: asked, at: at + .seconds(60))
    }

    @Test func aPortalAnswersUntilSignIn() throws {
        // Broken: a client reaches the server before sign-in, or the portal never ends.
        var road = LivePath(try compiled(Self.home), seed: 1, phone: PhoneID(0))
        let isRaised = road.bringUp(.wifi, TestEndpoints.phone, usableAfter: .zero, portal: .seconds(30))
        #expect(isRaised)
        let at = Instant.zero + .seconds(1)
        let turns: [(Datagram, Datagram.SegmentFlags)] = [
            (TestEndpoints.segment(.up, [.syn], sequence: 5), [.syn, .ack]),
            (TestEndpoints.segment(.up, [.ack], sequence: 6, payload: [1]), [.ack, .fin]),
            (TestEndpoints.segment(.up, [.fin, .ack], sequence: 7), [.ack]),
        ]
        for (packet, flags) in turns {
            road.advance(to: max(road.now, at))
            road.send(packet)
            road.advance(to: road.now + .seconds(5))
            let arrived = road.takeArrived()
            #expect(arrived.count == 1 && arrived.first?.packet.flags == flags)
            #expect(arrived.first?.packet.acknowledgement == packet.nextSequence)
        }
        road.send(TestEndpoints.segment(.up, [.ack], sequence: 6))
        road.sendFromServer(TestEndpoints.segment(.down, [.ack]))
        road.advance(to: at + .seconds(25))
        #expect(road.takeArrived().isEmpty, "the portal answered an acknowledgement, or the server got through")
        let late = road.arrivals(of: TestEndpoints.segment(.up, [.syn], port: 2), at: at + .seconds(60))
        #expect(late.count == 1)
        if case .phone? = late.first?.1 { Issue.record("the portal still answers") }
    }

    @Test func aClosedNetworkPassesNothing() throws {
        // Broken: packets leave a phone with a closed network. Incoming packets wake the radio but must not reach the
        // app.
        var road = try LivePath.onWiFi(Self.home)
        road.isClosed = true
        road.expect(0, of: TestEndpoints.udp(), at: .zero + .seconds(1))
        road.sendFromServer(TestEndpoints.segment(.down, [.ack]))
        road.advance(to: .zero + .seconds(30))
        #expect(road.takeArrived().count == 1 && road.observer.flows.allSatisfy { $0.longestSilence == .zero })
        road.isClosed = false
        road.expect(1, of: TestEndpoints.udp(), at: .zero + .seconds(40))
    }
}
