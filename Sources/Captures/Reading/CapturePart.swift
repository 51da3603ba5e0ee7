public import DeadzonePrimitives

/// One file of a capture that was written into several, as `tcpdump -C` does; opened only when it is its turn.
public struct CapturePart {
    /// For whoever is told of a fault in it.
    public let name: String
    let isAlone: Bool
    private let open: () throws(SourceFailure) -> ByteSource
    /// Of its first packet, where it is known.
    public private(set) var first: Stamp?

    public init(name: String, open: @escaping () throws(SourceFailure) -> ByteSource) {
        self.init(name: name, isAlone: false, open: open)
    }

    init(name: String, isAlone: Bool, open: @escaping () throws(SourceFailure) -> ByteSource) {
        self.name = name
        self.isAlone = isAlone
        self.open = open
    }

    /// Looks at the beginning.
    /// - Throws: where it is no capture.
    public mutating func peek() throws(CaptureFault) {
        var window = Window(try contents().source)
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

/// Two parts that cannot be of one capture.
public struct CaptureOverlap: Equatable, Sendable {
    /// Packets of several processors come in another order than they were stamped in, by less than this.
    static let allowed = TimeSpan.seconds(1)

    public let earlier: String
    public let later: String
    /// By how much.
    public let span: TimeSpan
}

extension ReaderEngine {
    /// Of the first packet that has one; nil where there is none.
    static func firstStamp(_ window: inout Window) throws(CaptureFault) -> Stamp? {
        var roster = Roster()
        var frame = Frame(bytes: window.bytes)
        switch try begin(&window, &roster) {
        case .classic(var framing): return try framing.next(&frame, &window, &roster) ? frame.stamp : nil
        case .sections(var framing):
            while try framing.next(&frame, &window, &roster) { if frame.isStamped { return frame.stamp } }
            return nil
        }
    }
}
