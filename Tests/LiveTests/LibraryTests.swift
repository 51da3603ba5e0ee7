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
        // A ping within 3 s of the last answer, 3 s for its pong, and 10 s for the goodbye that nobody answers.
        let second = outcome.attempts.count > 1 ? outcome.attempts[1]["at_s"] as? Double : nil
        #expect((9.0...24).contains(second ?? 0), "\(outcome.attempts)")
        #expect(outcome.metric("connection.handshakes") == 2, "\(outcome.attempts)")
        #expect(outcome.metric("delivery.up.lost") ?? 9 <= 1)
    }

    @Test func aClientsOddConstantsAreFound() throws {
        // Broken: fit does not find what a client that no preset knows was written with.
        let fit = try Live.outcome(.steady).fit(like: nil)
        for (setting, value) in Live.steady {
            let range = try #require(fit.found[setting], "\(setting) among \(fit)")
            #expect((range.lowerBound - 0.001...range.upperBound + 0.001).contains(value), "\(setting) \(range)")
            // A wait is known to 180 ms, and a limit of an attempt by the difference of two.
            #expect(range.upperBound / range.lowerBound < 1.6, "\(setting) \(range) tells nothing")
        }
    }
}
