import DeadzoneBase

@testable import DeadzoneTransport

// Variants that take the rules by value and allocate them for the call.
extension TCPEnd {
    mutating func connect(at now: Instant, phase: TimeSpan = .zero, _ rules: TCPRules, _ out: inout OutgoingPackets) {
        let place = rules.allocated
        defer { place.deallocate() }
        connect(at: now, phase: phase, UnsafePointer(place), &out)
    }

    mutating func accept(_ hello: Packet, at now: Instant, _ rules: TCPRules, _ out: inout OutgoingPackets) {
        let place = rules.allocated
        defer { place.deallocate() }
        accept(hello, at: now, UnsafePointer(place), &out)
    }

    mutating func established(by reply: Packet, at now: Instant, _ rules: TCPRules) -> Bool {
        let place = rules.allocated
        defer { place.deallocate() }
        return established(by: reply, at: now, UnsafePointer(place))
    }

    mutating func write(
        _ track: FrameKind, _ item: UInt32, upTo end: UInt32? = nil, bytes: UInt32, cause: Cause, _ rules: TCPRules
    ) -> Bool {
        let place = rules.allocated
        defer { place.deallocate() }
        return write(track, item, upTo: end, bytes: bytes, cause: cause, UnsafePointer(place))
    }

    mutating func makesRoom(for bytes: UInt32, _ rules: TCPRules) -> Bool {
        let place = rules.allocated
        defer { place.deallocate() }
        return checkRoom(for: bytes, UnsafePointer(place))
    }

    mutating func receive(
        _ packet: Packet, at now: Instant, _ rules: TCPRules, _ sizes: borrowing MessageSizes
    ) -> ReceiveResult {
        let place = rules.allocated
        defer { place.deallocate() }
        return receive(packet, at: now, UnsafePointer(place), sizes)
    }

    mutating func take(upTo expected: UInt64, _ rules: TCPRules, _ sizes: borrowing MessageSizes) -> FrameRange? {
        let place = rules.allocated
        defer { place.deallocate() }
        return readNext(upTo: expected, UnsafePointer(place), sizes)
    }

    mutating func flush(
        at now: Instant, _ rules: TCPRules, _ sizes: borrowing MessageSizes, _ out: inout OutgoingPackets
    ) {
        let place = rules.allocated
        defer { place.deallocate() }
        flush(at: now, UnsafePointer(place), sizes, &out)
    }

    mutating func expire(at now: Instant, _ rules: TCPRules, _ out: inout OutgoingPackets) -> Bool {
        let place = rules.allocated
        defer { place.deallocate() }
        return expire(at: now, UnsafePointer(place), &out)
    }
}

extension RetransmissionTimer {
    mutating func arm(at now: Instant, isSingleSegment: Bool, _ rules: TCPRules) {
        let place = rules.allocated
        defer { place.deallocate() }
        arm(at: now, isSingleSegment: isSingleSegment, UnsafePointer(place))
    }

    mutating func restart(at now: Instant, inFlight: Bool, _ rules: TCPRules) {
        let place = rules.allocated
        defer { place.deallocate() }
        restart(at: now, inFlight: inFlight, UnsafePointer(place))
    }

    mutating func expire(at now: Instant, _ rules: TCPRules) -> RetransmissionAction {
        let place = rules.allocated
        defer { place.deallocate() }
        return expire(at: now, UnsafePointer(place))
    }
}

extension TCPRules {
    fileprivate var allocated: UnsafeMutablePointer<TCPRules> {
        let place = UnsafeMutablePointer<TCPRules>.allocate(capacity: 1)
        place.initialize(to: self)
        return place
    }
}
