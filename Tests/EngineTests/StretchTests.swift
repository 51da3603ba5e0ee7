import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Broken: messages outside the stretches of their stream, or none within; or a later stretch that begins with a
/// message at once.
@Test func messagesStayWithinTheirStretches() {
    func stretch(_ gap: Int64, _ from: Int64, _ until: Int64) -> TrafficStream.TrafficPeriod {
        .init(
            gap: .constant(TimeSpan.seconds(gap).nanoseconds), from: .zero + .seconds(from),
            until: .zero + .seconds(until))
    }
    let hours = [stretch(10, 20, 60), stretch(1, 100, 100), stretch(7, 100, 107), stretch(25, 200, 260)]
    for direction in Direction.allCases {
        let stream = TrafficStream(hours, size: .constant(100))
        let traffic = direction == .up ? Traffic(up: stream) : Traffic(down: stream)
        let run = SingleConnectionStrategy(.webSocket).run(Fixture.wifiWorld(traffic, horizon: .minutes(5)))
        // A stretch that ends before its first message has none.
        #expect(run.times(direction == .up ? .sentUp : .sentDown) == [30_000, 40_000, 50_000, 225_000, 250_000])
        #expect(run.count(direction == .up ? .deliveredUp : .deliveredDown) == 5)
    }
    #expect(TrafficStream([], size: .constant(1)) == nil)
}
