public import DeadzoneCaptures
public import DeadzoneHost

/// A capture that has begun to be read.
public struct OpenedCapture {
    let reader: CaptureReader
    /// Of how many files it is, and what was left out of folders because it is no capture.
    let notes: [String]

    /// - Parameter input: standard input.
    public init(
        _ wanted: ReplayRun.Wanted, input: () throws(SystemFault) -> ByteSource
    ) throws(ToolFault) {
        let files = CaptureFiles(wanted.paths)
        let isOne = wanted.isInput || files.isOne
        let parts: (captures: [CapturePart], notes: [String]) = isOne ? ([], []) : try files.inOrder()
        notes = parts.notes
        let source = isOne ? try Self.source(wanted, input) : nil
        do throws(CaptureFault) {
            if let source {
                reader = try CaptureReader(source, device: wanted.device, filter: wanted.filter)
            } else {
                reader = try CaptureReader(parts.captures, device: wanted.device, filter: wanted.filter)
            }
        } catch {
            throw .unreadableCapture(wanted.shownPath, error)
        }
    }

    private static func source(
        _ wanted: ReplayRun.Wanted, _ input: () throws(SystemFault) -> ByteSource
    ) throws(ToolFault) -> ByteSource {
        do throws(SystemFault) {
            return wanted.isInput ? try input() : try CaptureFiles.source(wanted.paths[0])
        } catch {
            throw .unreadable(error)
        }
    }
}
