package import DeadzoneCaptures
package import DeadzoneHost

/// An open packet capture: a reader for its packets, and notes about its files.
package struct OpenedCapture {
    let reader: CaptureReader
    /// Number of files in the capture, and the files in folders that were skipped because they are not captures.
    let notes: [String]

    /// - Parameter input: opens standard input.
    package init(
        _ request: ReplayRun.ReplayRequest, input: InputOpener<ByteSource>
    ) throws(ToolFault) {
        let files = CaptureFiles(request.paths)
        let isOne = request.isInput || files.isSingleFile
        let parts: (captures: [CapturePart], notes: [String]) = isOne ? ([], []) : try files.inOrder()
        notes = parts.notes
        let source = isOne ? try Self.source(request, input) : nil
        do throws(CaptureFault) {
            if let source {
                reader = try CaptureReader(source, device: request.device, filter: request.filter)
            } else {
                reader = try CaptureReader(parts.captures, device: request.device, filter: request.filter)
            }
        } catch {
            throw .unreadableCapture(request.shownPath, error)
        }
    }

    /// The fault, after reading, of a file from which no packet could be read. `nil` if there are packets.
    package var faultWithoutPackets: CaptureFault? { reader.counts.packets == 0 ? reader.fault : nil }

    private static func source(
        _ request: ReplayRun.ReplayRequest, _ input: InputOpener<ByteSource>
    ) throws(ToolFault) -> ByteSource {
        do throws(SystemFault) {
            return request.isInput ? try input() : try CaptureFiles.source(request.paths[0])
        } catch {
            throw .unreadable(error)
        }
    }
}
