import DeadzoneCommand
import Testing

/// Libraries that presets are made of.
@Suite(.enabled(if: Live.hasLibraries, "\(Live.libraries)"))
struct LibraryTests {
    @Test func grpcBehavesAsItsPreset() throws {
        // Broken: attempts of grpcio outside of what `deadzone schedule grpc-core` says.
        let outcome = try Live.outcome(.grpc)
        let backoff = try #require(outcome.law("backoff"), "\(outcome.said)")
        #expect(backoff.of >= 3 && backoff.inside == backoff.of, "\(outcome.attempts)")
        let fit = try outcome.fit(like: "grpc-core")
        #expect(fit.complaints.isEmpty && !fit.refuted.contains("backoff.base"), "\(fit)")
    }

    @Test func pahoBehavesAsItsPreset() throws {
        // Broken: paho's reconnection outside of what its preset says, or its silence not noticed.
        let outcome = try Live.outcome(.paho)
        let backoff = try #require(outcome.law("backoff"), "\(outcome.said)")
        #expect(backoff.of >= 2 && backoff.inside == backoff.of, "\(outcome.attempts)")
        #expect(outcome.metric("keepalive.pings") ?? 0 >= 1)
        // It pings every three seconds here, and the preset once a minute.
        let fit = try outcome.fit(like: "paho-python")
        #expect(fit.complaints.isEmpty && fit.refuted.contains("keepalive.interval"), "\(fit)")
        #expect(!fit.refuted.contains("backoff.base"), "\(fit)")
        let other = try outcome.fit(like: "websocket-naive")
        #expect(other.code == .gateFailed && !other.complaints.isEmpty, "\(other)")
    }

    @Test func aQUICClientComesBackAndLosesNothing() throws {
        // Broken: datagrams of a real QUIC stack, or its idle timeout, which nobody but its silence sets off.
        let outcome = try Live.outcome(.quic)
        // Idle for four seconds from the last answer, before 4 s, and a new connection: another flow.
        let flows = outcome.flows.compactMap { $0["began_s"] as? Double }
        #expect(flows.count >= 2 && flows.dropFirst().first.map { (6.5...12).contains($0) } == true, "\(flows)")
        #expect(outcome.metric("delivery.up.sent") ?? 0 >= 8, "\(outcome.said)")
        #expect(outcome.metric("delivery.up.lost") == 0, "\(outcome.said)")
    }

    @Test func websocketsNoticeSilenceByTheirPings() throws {
        // Broken: the internet that is gone answers, or pings of a plain protocol are not seen.
        let outcome = try Live.outcome(.websockets)
        #expect(outcome.metric("keepalive.pings") ?? 0 >= 2, "\(outcome.said)")
        // Pings every 3 s from the first attempt on; 3 s for the pong of the first one after the cut at 6 s, and 10 s for the goodbye that
        // nobody answers.
        let attempts = outcome.attempts.compactMap { $0["at_s"] as? Double }
        try #require(attempts.count > 1, "\(outcome.attempts)")
        let due = attempts[0] + 3 * ((6 - attempts[0]) / 3).rounded(.up) + 3 + 10
        #expect((due - 0.2...due + 2).contains(attempts[1]), "\(outcome.attempts), due at \(due) s")
        let interval = try #require(try outcome.fit(like: nil).found["keepalive.interval"])
        #expect(interval.contains(3) && interval.upperBound < 1.2 * interval.lowerBound, "\(interval)")
        #expect(outcome.metric("connection.handshakes") == 2, "\(outcome.attempts)")
        #expect(outcome.metric("delivery.up.lost") ?? 9 <= 1)
    }

    @Test func aClientsOddConstantsAreFound() throws {
        // Broken: fit does not find what a client that no preset knows was written with.
        let fit = try Live.outcome(.steady).fit(like: nil)
        for (setting, value) in Live.steady {
            let range = try #require(fit.found[setting], "\(setting) among \(fit)")
            // Other tests have the processors, too: that moves what is measured by some hundredths of a second.
            #expect((range.lowerBound - 0.05...range.upperBound + 0.05).contains(value), "\(setting) \(range)")
            // A wait is known to 180 ms, and a limit of an attempt by the difference of two.
            #expect(range.upperBound / range.lowerBound < 1.6, "\(setting) \(range) tells nothing")
        }
    }
}
