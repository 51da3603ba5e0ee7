import DeadzonePrimitives

@testable import DeadzoneTransport

// By rules that have no place of their own.
extension TCPEnd {
    mutating func connect(at now: Instant, phase: TimeSpan = .zero, _ rules: TCPRules, _ out: inout Departures) {
        let place = rules.placed
        defer { place.deallocate() }
        connect(at: now, phase: phase, UnsafePointer(place), &out)
    }

    mutating func accept(_ hello: Packet, at now: Instant, _ rules: TCPRules, _ out: inout Departures) {
        let place = rules.placed
        defer { place.deallocate() }
        accept(hello, at: now, UnsafePointer(place), &out)
    }

    mutating func established(by reply: Packet, at now: Instant, _ rules: TCPRules) -> Bool {
        let place = rules.placed
        defer { place.deallocate() }
        return established(by: reply, at: now, UnsafePointer(place))
    }

    mutating func write(
        _ track: Track, _ item: UInt32, upTo end: UInt32? = nil, bytes: UInt32, cause: Cause, _ rules: TCPRules
    ) -> Bool {
        let place = rules.placed
        defer { place.deallocate() }
        return write(track, item, upTo: end, bytes: bytes, cause: cause, UnsafePointer(place))
    }

    mutating func makesRoom(for bytes: UInt32, _ rules: TCPRules) -> Bool {
        let place = rules.placed
        defer { place.deallocate() }
        return makesRoom(for: bytes, UnsafePointer(place))
    }

    mutating func receive(
        _ packet: Packet, at now: Instant, _ rules: TCPRules, _ sizes: borrowing MessageSizes
    ) -> Arrival {
        let place = rules.placed
        defer { place.deallocate() }
        return receive(packet, at: now, UnsafePointer(place), sizes)
    }

    mutating func take(upTo expected: UInt64, _ rules: TCPRules, _ sizes: borrowing MessageSizes) -> Run? {
        let place = rules.placed
        defer { place.deallocate() }
        return take(upTo: expected, UnsafePointer(place), sizes)
    }

    mutating func flush(
        at now: Instant, _ rules: TCPRules, _ sizes: borrowing MessageSizes, _ out: inout Departures
    ) {
        let place = rules.placed
        defer { place.deallocate() }
        flush(at: now, UnsafePointer(place), sizes, &out)
    }

    mutating func expire(at now: Instant, _ rules: TCPRules, _ out: inout Departures) -> Bool {
        let place = rules.placed
        defer { place.deallocate() }
        return expire(at: now, UnsafePointer(place), &out)
    }
}

extension RetryTimer {
    mutating func arm(at now: Instant, isLone: Bool, _ rules: TCPRules) {
        let place = rules.placed
        defer { place.deallocate() }
        arm(at: now, isLone: isLone, UnsafePointer(place))
    }

    mutating func restart(at now: Instant, inFlight: Bool, _ rules: TCPRules) {
        let place = rules.placed
        defer { place.deallocate() }
        restart(at: now, inFlight: inFlight, UnsafePointer(place))
    }

    mutating func expire(at now: Instant, _ rules: TCPRules) -> Step {
        let place = rules.placed
        defer { place.deallocate() }
        return expire(at: now, UnsafePointer(place))
    }
}

extension TCPRules {
    fileprivate var placed: UnsafeMutablePointer<TCPRules> {
        let place = UnsafeMutablePointer<TCPRules>.allocate(capacity: 1)
        place.initialize(to: self)
        return place
    }
}
