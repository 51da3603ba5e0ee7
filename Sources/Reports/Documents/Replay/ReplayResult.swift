import DeadzoneBase
package import DeadzoneCaptures
import DeadzoneDevice
package import DeadzoneMetrics
package import DeadzoneReplay

/// The input of the output formats of `replay`: a `ReplayReport`, and the compared strategies (what-if) if there are any.
package struct ReplayResult: Sendable {
    package let report: ReplayReport
    package let whatIf: WhatIf?

    package init(_ report: ReplayReport, whatIf: WhatIf? = nil) {
        self.report = report
        self.whatIf = whatIf
    }
}

extension ReplayReport {
    /// File name without folders, so that the result does not depend on the folder.
    package var name: String { file.split(separator: "/").last.map(String.init) ?? file }
}

extension Timestamp {
    /// Seconds since 1970.
    var seconds: Billionths { Billionths(count: nanoseconds) }
}

extension CaptureCounts {
    /// From the earliest to the latest packet, in seconds.
    package var duration: Billionths {
        guard let earliest, let latest else { return .zero }
        return Billionths(count: latest.nanoseconds - earliest.nanoseconds)
    }
}

extension StateBill {
    package var name: String { "\(state.name)" }
}
