import DeadzoneBase
import DeadzoneSimulator

extension SpanRange {
    /// A fixed or random duration: `30s`, `{uniform: [30s, 2m]}`, `{exponential: 40s}`.
    static func form(in range: ClosedRange<TimeSpan>) -> ValueFormat<SpanRange> {
        form(
            in: range, .distribution(.span, in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds))
    }

    /// A fixed or random time from the start: `8h`, `15:00`, `{uniform: [07:30, 08:00]}`.
    static func moment(in range: ClosedRange<TimeSpan>, startingAt start: StartOfDay) -> ValueFormat<SpanRange> {
        let bounds = range.lowerBound.nanoseconds...range.upperBound.nanoseconds
        return form(in: range, .distribution(of: .moment(in: bounds, startingAt: start)))
    }

    private static func form(
        in range: ClosedRange<TimeSpan>, _ laws: ValueFormat<Distribution>
    ) -> ValueFormat<SpanRange> {
        ValueFormat(
            laws.expected, shape: laws.shape,
            read: { node, faults in
                guard let law = laws.read(node, &faults) else { return nil }
                let drawn = SpanRange(law, in: range)
                if drawn == nil {
                    let most = QuantityKind.span.text(range.upperBound.nanoseconds)
                    faults.note(
                        node.fault(.outOfRange, "at least one phone in two thousand would draw more than \(most)"))
                }
                return drawn
            }, write: { laws.write($0.law) })
    }
}
