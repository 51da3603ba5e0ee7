import DeadzoneBase

/// New data of a TCP end, divided into packets. Segments that are sent together are one packet, because each packet costs
/// the simulation time. Packets are small enough that acknowledgements arrive nearly as often as on a real path: the
/// first one after a pause has two segments, each further one is at most twice as large, and none has more than a
/// sixteenth of the window or four segments.
extension TCPEnd {
    /// Maximum number of segments that are not divided into several packets, if nothing else is in flight.
    static let undividedSegments: UInt64 = 4
    /// Maximum number of segments in one packet: 64 KiB, as in segmentation offload (GSO_LEGACY_MAX_SIZE,
    /// include/linux/netdevice.h).
    static let maxBurst = 45

    mutating func sendNewData(at now: Instant, _ rules: UnsafePointer<TCPRules>, _ out: inout OutgoingPackets) {
        let before = highestSent
        let limitOfBurst = burstLimit(rules)
        var burst = limitOfBurst
        if highestSent == acknowledged {
            if !congestion.isEmpty { restartAfterIdle(at: now, rules) }
            peakInFlight = 0
            // The first acknowledgement must not wait for all of the window: it starts the clock of the others.
            if Self.undividedSegments * UInt64(rules.pointee.segment) < written - highestSent {
                burst = 2 * UInt64(rules.pointee.segment)
            }
        }
        let limit = acknowledged + UInt64(window) * UInt64(rules.pointee.segment)
        // One entry stays free, because an answer to a SYN may need it. The rest is sent with the next input.
        while highestSent < min(written, limit) && packetsOut < window && out.count + 1 < OutgoingPackets.capacity,
            let (cause, end) = queue.sendableRange(from: highestSent)
        {
            let end = min(end, limit, highestSent + burst)
            send(.data, cause: cause, from: highestSent, upTo: end, at: now, rules, &out)
            burst = min(2 * burst, limitOfBurst)
        }
        recordInFlight(at: now, rules)
        if before < highestSent {
            timer.arm(at: now, isSingleSegment: isSingleSegment(rules), allowsProbe: true, rules)
        }
    }

    /// Maximum number of bytes in the next packet.
    func burstLimit(_ rules: UnsafePointer<TCPRules>) -> UInt64 {
        UInt64(min(max(4, Int(window) / 16), Self.maxBurst)) * UInt64(rules.pointee.segment)
    }

    func isSingleSegment(_ rules: UnsafePointer<TCPRules>) -> Bool {
        highestSent - acknowledged <= UInt64(rules.pointee.segment)
    }
}
