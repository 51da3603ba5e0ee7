import DeadzonePrimitives
import DeadzoneSettings
import DeadzoneWorld

extension SpanRange {
    /// `30s`, `{uniform: [30s, 2m]}`, `{exponential: 40s}`
    static func form(in range: ClosedRange<TimeSpan>) -> Form<SpanRange> {
        let laws = Form<Distribution>.distribution(
            .span, in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds)
        return Form(
            laws.expected, shape: laws.shape,
            read: { node, faults in
                guard let law = laws.read(node, &faults) else { return nil }
                let drawn = SpanRange(law, in: range)
                if drawn == nil {
                    let most = Measure.span.text(range.upperBound.nanoseconds)
                    faults.note(
                        node.fault(.outOfRange, "one phone in two thousand would draw more than \(most)"))
                }
                return drawn
            }, write: { laws.write($0.law) })
    }
}
