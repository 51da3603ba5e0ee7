/// A time of day in a user's file, such as `15:00` or `07:30:15`.
///
/// Hours go on after midnight: `31:00` is 07:00 of the next day. GTFS, the format of public timetables, has the same rule
/// for trips that pass midnight (reference of `stop_times.txt`). So a time needs no date.
package struct TimeOfDay: Hashable, Sendable {
    package let sinceMidnight: TimeSpan

    package init(sinceMidnight: TimeSpan) { self.sinceMidnight = sinceMidnight }

    /// Reads `H:MM` or `H:MM:SS`; `nil` if the text has another form.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, 1...4 ~= parts[0].utf8.count, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = numbers.count == 3 ? numbers[2] : 0
        sinceMidnight = .seconds(numbers[0] * 3_600 + numbers[1] * 60 + seconds)
    }

    /// `15:00`, `07:30:15`, `31:00`. Parts of a second are left out.
    package var text: String {
        let seconds = sinceMidnight.nanoseconds / 1_000_000_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60))"
        return seconds % 60 == 0 ? minutes : "\(minutes):\(two(seconds % 60))"
    }

    static let pattern = "^[0-9]{1,4}:[0-5][0-9](:[0-5][0-9])?$"
}

/// The time of day at which a scenario starts, as its file says it.
package enum StartOfDay: Hashable, Sendable {
    case notGiven
    /// The file has a value that is not a time of day. Times of day in the file are then not checked.
    case unreadable
    case at(TimeSpan)
}

extension ValueFormat where Value == TimeSpan {
    /// The time of day at which a scenario starts, as the time since midnight.
    package static var startOfDay: ValueFormat {
        let expected = "a time of day such as 07:00"
        return ValueFormat(
            expected, shape: { .quantity(noun: "a time of day", example: "07:00", pattern: TimeOfDay.pattern) },
            read: { node, faults in
                guard let (text, _) = node.scalar(expected, &faults) else { return nil }
                if let time = TimeOfDay(text), time.sinceMidnight < .hours(24) { return time.sinceMidnight }
                faults.note(
                    node.fault(.outOfRange, "\(quote(text)) is no time of day", label: "from 00:00 to 23:59:59"))
                return nil
            }, write: { .text(TimeOfDay(sinceMidnight: $0).text) })
    }

    /// A time from the start of the scenario: a duration, or a time of day.
    package static func moment(in range: ClosedRange<TimeSpan>, startingAt start: StartOfDay) -> ValueFormat {
        ValueFormat<Int64>.moment(
            in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, startingAt: start
        ).map {
            .nanoseconds($0)
        } back: {
            $0.nanoseconds
        }
    }
}

extension ValueFormat where Value == Int64 {
    /// A time from the start of the scenario in nanoseconds: a duration, or a time of day. After an unreadable start, a
    /// time of day is `nil` without a fault.
    package static func moment(in range: ClosedRange<Int64>, startingAt start: StartOfDay) -> ValueFormat {
        let plain = quantity(.span, in: range)
        return ValueFormat(
            plain.expected,
            shape: {
                let span = QuantityKind.span
                return .quantity(
                    noun: "a moment", example: span.example, pattern: "\(span.pattern)|\(TimeOfDay.pattern)")
            },
            read: { node, faults in
                guard let text = node.scalar, let time = TimeOfDay(text) else { return plain.read(node, &faults) }
                switch start {
                case .at(let start):
                    let moment = (time.sinceMidnight - start).nanoseconds
                    if range.contains(moment) { return moment }
                    faults.note(outside(node, time, start, moment, range))
                case .notGiven: faults.note(withoutStart(node, text, expected: plain.expected))
                case .unreadable: break
                }
                return nil
            }, write: plain.write)
    }

    private static func withoutStart(_ node: Node, _ text: String, expected: String) -> Fault {
        node.fault(
            .sexagesimal, "\(quote(text)) is ambiguous", label: "expected \(expected)",
            help: "write 1m30s for a time from the start; for times of day, the scenario needs `starts: 07:00`")
    }

    private static func outside(
        _ node: Node, _ time: TimeOfDay, _ start: TimeSpan, _ moment: Int64, _ range: ClosedRange<Int64>
    ) -> Fault {
        if moment < 0 {
            let next = TimeOfDay(sinceMidnight: time.sinceMidnight + .hours(24))
            return node.fault(
                .outOfRange, "\(quote(time.text)) is before the start at \(TimeOfDay(sinceMidnight: start).text)",
                label: "write \(next.text) for the next day")
        }
        let bounds = [range.lowerBound, range.upperBound].map {
            TimeOfDay(sinceMidnight: start + .nanoseconds($0)).text
        }
        return node.fault(
            .outOfRange, "\(quote(time.text)) is out of range", label: "must be from \(bounds[0]) to \(bounds[1])")
    }
}
