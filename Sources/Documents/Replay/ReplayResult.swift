public import DeadzoneCaptures
import DeadzoneDevice
public import DeadzoneMetrics
import DeadzonePrimitives
public import DeadzoneReplay

/// What `replay` shows: what a capture holds and cost, and where somebody asked for them other strategies beside it.
public struct ReplayResult: Sendable {
    public let report: ReplayReport
    public let whatIf: WhatIf?

    public init(_ report: ReplayReport, whatIf: WhatIf? = nil) {
        self.report = report
        self.whatIf = whatIf
    }
}

extension ReplayReport {
    /// Of the file, without its folders: a result is the same from any folder.
    public var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}

extension Stamp {
    /// Since 1970.
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
