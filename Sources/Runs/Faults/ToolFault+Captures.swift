import DeadzoneBase
package import DeadzoneCaptures

extension ToolFault {
    package static func overlap(_ overlap: CaptureOverlap) -> Self {
        let seconds = overlap.span.nanoseconds / 1_000_000_000
        return Self(
            .badCapture,
            "\(overlap.later) begins \(seconds) s before \(overlap.earlier) ends, so they are not parts of one capture",
            help: [
                "replay them separately", "merge parallel captures with mergecap -w one.pcapng",
            ])
    }

    /// Fault for a capture of which nothing could be read.
    package static func unreadableCapture(_ path: String, _ fault: CaptureFault?) -> Self {
        Self(
            .badCapture, "\(visible(path, atMost: 200)): \(fault?.text ?? "it is empty")",
            help: [fault?.help].compactMap { $0 })
    }
}
