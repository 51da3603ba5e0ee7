import DeadzoneBase

/// Invariants of lost messages and of silence: each has one cause, and the sums are complete.
extension WorldLaws {
    /// Law: every lost message has a cause, a place and a number of its own. A change of the timeline that it is charged
    /// to took effect before.
    func checkLosses(_ broken: inout [String]) {
        for direction in Direction.allCases {
            let sent = UInt32(count(direction == .down ? .sentDown : .sentUp))
            var lost: [Range<UInt32>] = []
            for record in records where record.kind.lossDirection == direction {
                guard let loss = record.loss, loss.cause != .unobserved, loss.place != .unobserved, loss.count > 0
                else {
                    return broken.append("a loss of messages \(direction.name) has no cause")
                }
                lost.append(loss.first..<loss.first + loss.count)
                guard let change = loss.change else { continue }
                if !tookEffect(change, by: record.at) {
                    broken.append("a loss is charged to change \(change), which had not occurred")
                }
            }
            lost.sort { $0.lowerBound < $1.lowerBound }
            for (one, next) in zip(lost, lost.dropFirst()) where next.lowerBound < one.upperBound {
                broken.append("message \(next.lowerBound) \(direction.name) is lost twice")
            }
            if let last = lost.last, last.upperBound > sent {
                broken.append("message \(last.upperBound - 1) \(direction.name) of \(sent) is lost")
            }
        }
    }

    private func tookEffect(_ change: UInt16, by instant: Instant) -> Bool {
        // A change is recorded after its effects, at the same instant.
        records.contains { $0.kind == .weather && $0.tag == change && $0.at <= instant }
    }

    /// Law: at every moment the phone has a working connection, or is silent for one reason.
    func checkSilence(_ broken: inout [String]) {
        var spans: [(from: Instant, upTo: Instant)] = []
        var silent: Int64 = 0
        for record in records {
            switch record.kind {
            case .available: spans.append((record.at - .nanoseconds(record.value), record.at))
            case .silent:
                guard let tag = record.tag(of: .silent), tag.cause != .unobserved else {
                    return broken.append("silence without a cause")
                }
                silent += record.value
            default: break
            }
        }
        spans.sort { $0.from < $1.from }
        var (connected, end) = (TimeSpan.zero, Instant.zero)
        for span in spans where end < span.upTo {
            connected += span.upTo - max(span.from, end)
            end = span.upTo
        }
        let sum = connected.nanoseconds + silent
        if sum != self.sum(.finished) {
            broken.append("\(connected.nanoseconds) ns connected and \(silent) ns silent do not add up")
        }
    }
}
