import DeadzoneBase
import DeadzoneTransport
import Testing

@Suite struct HTTP2DrainingTests {
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// Broken: graceful shutdown. A GOAWAY that allows all streams, then the real last stream after the ping, then
    /// the close when the streams have ended.
    @Test func endsInTwoStages() {
        var draining = HTTP2Draining(grace: .seconds(30))
        #expect(draining.begin(at: at(100)) == .sendFirstGoAway(lastStream: 2_147_483_647))
        #expect(draining.begin(at: at(100)) == .nothing && draining.deadline == at(160))
        #expect(draining.endStreams() == .nothing)
        #expect(
            draining.receivePong(lastStream: 7, at: at(101)) == .sendFinalGoAway(lastStream: 7)
                && draining.deadline == at(131))
        #expect(draining.receivePong(lastStream: 9, at: at(102)) == .nothing)
        #expect(draining.endStreams() == .close && draining.deadline == .never && draining.stage == .closed)
    }

    /// Broken: a client that never answers keeps a server waiting for ever. It waits a minute for the ping, then the
    /// grace period.
    @Test func waitsNoLongerThanItsLimits() {
        var draining = HTTP2Draining(grace: .seconds(30))
        _ = draining.begin(at: at(0))
        #expect(draining.expire(lastStream: 3, at: draining.deadline) == .sendFinalGoAway(lastStream: 3))
        #expect(draining.deadline == at(90))
        #expect(draining.expire(lastStream: 3, at: draining.deadline) == .close)
        #expect(draining.expire(lastStream: 3, at: at(99)) == .nothing && draining.stage == .closed)
    }

    /// Broken: a connection that is closed immediately is drained as well.
    @Test func dismissesAtOnce() {
        var draining = HTTP2Draining(grace: .seconds(30))
        draining.endAtOnce()
        #expect(draining.stage == .closed && draining.begin(at: at(1)) == .nothing && draining.deadline == .never)
    }
}
