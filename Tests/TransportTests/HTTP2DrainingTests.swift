import DeadzonePrimitives
import DeadzoneTransport
import Testing

@Suite struct HTTP2DrainingTests {
    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    /// Broken: a graceful end. GOAWAY for no stream yet, then the real last stream after the ping, closed when streams ended.
    @Test func endsInTwoStages() {
        var draining = HTTP2Draining(grace: .seconds(30))
        #expect(draining.begin(at: at(100)) == .warn(lastStream: 2_147_483_647))
        #expect(draining.begin(at: at(100)) == .nothing && draining.deadline == at(160))
        #expect(draining.streamsEnded() == .nothing)
        #expect(draining.pong(lastStream: 7, at: at(101)) == .settle(lastStream: 7) && draining.deadline == at(131))
        #expect(draining.pong(lastStream: 9, at: at(102)) == .nothing)
        #expect(draining.streamsEnded() == .close && draining.deadline == .never && draining.stage == .over)
    }

    /// Broken: a client that never answers holds a server for ever. A minute for the ping, then the grace.
    @Test func waitsForNoOneForEver() {
        var draining = HTTP2Draining(grace: .seconds(30))
        _ = draining.begin(at: at(0))
        #expect(draining.expire(lastStream: 3, at: draining.deadline) == .settle(lastStream: 3))
        #expect(draining.deadline == at(90))
        #expect(draining.expire(lastStream: 3, at: draining.deadline) == .close)
        #expect(draining.expire(lastStream: 3, at: at(99)) == .nothing && draining.stage == .over)
    }

    /// Broken: a connection that was dismissed is drained as well.
    @Test func dismissesAtOnce() {
        var draining = HTTP2Draining(grace: .seconds(30))
        draining.dismiss()
        #expect(draining.stage == .over && draining.begin(at: at(1)) == .nothing && draining.deadline == .never)
    }
}
