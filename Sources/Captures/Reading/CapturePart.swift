package import DeadzoneBase

/// One file of a capture that was split into several files, as with `tcpdump -C`. It is opened only when its turn
/// comes.
package struct CapturePart {
    /// Name for error messages.
    package let name: String
    let isAlone: Bool
    private let open: () throws(SourceFailure) -> ByteSource
    /// Timestamp of the first packet, if known.
    package private(set) var first: Timestamp?

    package init(name: String, open: @escaping () throws(SourceFailure) -> ByteSource) {
        self.init(name: name, isAlone: false, open: open)
    }

    init(name: String, isAlone: Bool, open: @escaping () throws(SourceFailure) -> ByteSource) {
        self.name = name
        self.isAlone = isAlone
        self.open = open
    }

    /// Reads the beginning of the file to find the first timestamp.
    /// - Throws: An error if the file is not a capture.
    package mutating func peek() throws(CaptureFault) {
        var window = ReadWindow(try contents().source)
        first = try ReaderEngine.firstStamp(&window)
    }

    typealias Contents = (source: ByteSource, isCompressed: Bool)

    func contents() throws(CaptureFault) -> Contents {
        do throws(SourceFailure) {
            let peeked = try PeekedSource(try open())
            let isCompressed = FileFormat.isGzip(peeked.head)
            return (isCompressed ? Gunzip(peeked.read).read : peeked.read, isCompressed)
        } catch {
            throw CaptureFault(at: 0, "cannot read: " + error.message)
        }
    }
}

/// An error: two files of a split capture overlap in time, so they cannot belong to one capture.
package struct CaptureOverlap: Equatable, Sendable {
    /// Allowed overlap. Packets of several processors are written out of order, by less than this.
    static let allowed = TimeSpan.seconds(1)

    package let earlier: String
    package let later: String
    /// Length of the overlap.
    package let span: TimeSpan
}

extension ReaderEngine {
    /// Returns the first timestamp in the file; `nil` if there is none.
    static func firstStamp(_ window: inout ReadWindow) throws(CaptureFault) -> Timestamp? {
        var registry = CaptureRegistry()
        var frame = Frame(bytes: window.bytes)
        switch try begin(&window, &registry) {
        case .perfetto(let framing): return framing.next(&window, &registry).map(framing.timestamp)
        case .pcap(var framing): return try framing.next(&frame, &window, &registry) ? frame.stamp : nil
        case .pcapng(var framing):
            while try framing.next(&frame, &window, &registry) { if frame.isStamped { return frame.stamp } }
            return nil
        }
    }
}
