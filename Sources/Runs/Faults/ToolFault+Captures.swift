public import DeadzoneCaptures
import DeadzonePrimitives
import DeadzoneSettings

extension ToolFault {
    public static func overlap(_ overlap: CaptureOverlap) -> Self {
        let seconds = overlap.span.nanoseconds / 1_000_000_000
        return Self(
            .badCapture,
            "\(overlap.later) begins \(seconds) s before \(overlap.earlier) ends: they are not parts of one capture",
            help: [
                "replay them one by one", "mergecap -w one.pcapng puts what was captured side by side into one file",
            ])
    }

    /// Nothing of the file could be read.
    public static func unreadableCapture(_ path: String, _ fault: CaptureFault?) -> Self {
        Self(
            .badCapture, "\(visible(path, atMost: 200)): \(fault?.text ?? "there is nothing in it")",
            help: [fault?.help].compactMap { $0 })
    }
}
