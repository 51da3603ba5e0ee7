import DeadzoneBase
import DeadzoneSimulator
import Testing

@Suite struct PushServiceTests {
    @Test(
        "Requests before the delivery share one push; it is resent with doubling waits, and its time counts from the first request"
    )
    func oneAtATime() {
        var service = PushService()
        #expect(service.nextAction == .nothing && service.due(after: .zero) == .never)
        service.request(isUrgent: false, at: .zero + .seconds(1))
        service.request(isUrgent: true, at: .zero + .seconds(3))
        #expect(service.isUrgent)
        var now = Instant.zero + .seconds(3)
        for span in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(service.nextAction == .send)
            service.sent()
            #expect(service.nextAction == .nothing)
            service.scheduleRepeat(at: now)
            #expect(service.due(after: now) == now + .seconds(Int64(span)))
            now = service.due(after: now)
            #expect(service.due(after: now) == .never)
        }
        service.sent()
        service.arrive()
        #expect(service.nextAction == .handOver)
        #expect(service.finish(at: now) == now - (.zero + .seconds(1)))
        #expect(service.nextAction == .nothing && !service.isUrgent)
    }
}
