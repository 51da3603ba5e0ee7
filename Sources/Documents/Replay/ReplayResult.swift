public import DeadzoneCaptures
import DeadzoneDevice
public import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneReplay

/// The input of the output formats of `replay`: a `ReplayReport`, and the compared strategies (what-if) if there are any.
public struct ReplayResult: Sendable {
    public let report: ReplayReport
    public let whatIf: WhatIf?

    public init(_ report: ReplayReport, whatIf: WhatIf? = nil) {
        self.report = report
        self.whatIf = whatIf
    }
}

extension ReplayReport {
    /// File name without folders, so that the result does not depend on the folder.
    public var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}

extension Timestamp {
    /// Seconds since 1970.
    var seconds: Billionths { Billionths(count: nanoseconds) }
}

extension CaptureCounts {
    /// From the earliest to the latest packet, in seconds.
    public var duration: Billionths {
        guard let earliest, let latest else { return .zero }
        return Billionths(count: latest.nanoseconds - earliest.nanoseconds)
    }
}

extension StateBill {
    public var name: String { "\(state.name)" }
}
