import DeadzonePrimitives
import DeadzoneSystem
import Testing

@Suite struct PushServiceTests {
    @Test("It is asked once for what it has not handed over, sends it again ever later, and counts from the first wish")
    func oneAtATime() {
        var service = PushService()
        #expect(service.wish == .nothing && service.due(after: .zero) == .never)
        service.ask(isUrgent: false, at: .zero + .seconds(1))
        service.ask(isUrgent: true, at: .zero + .seconds(3))
        #expect(service.isUrgent)
        var now = Instant.zero + .seconds(3)
        for span in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(service.wish == .send)
            service.sent()
            #expect(service.wish == .nothing)
            service.lose(at: now)
            #expect(service.due(after: now) == now + .seconds(Int64(span)))
            now = service.due(after: now)
            #expect(service.due(after: now) == .never)
        }
        service.sent()
        service.arrive()
        #expect(service.wish == .handOver)
        #expect(service.finish(at: now) == now - (.zero + .seconds(1)))
        #expect(service.wish == .nothing && !service.isUrgent)
    }
}
