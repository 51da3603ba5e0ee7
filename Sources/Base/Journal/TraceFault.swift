/// The reason why some bytes are not a trace that this version can read.
package enum TraceFault: Error, Hashable, Sendable, CustomStringConvertible {
    case notATrace
    case unknownVersion(UInt32)
    case unknownRecordSize(UInt32)
    /// Sizes in bytes.
    case truncated(expected: Int, found: Int)
    case trailingBytes(Int)
    case unknownKind(UInt16, record: Int)
    case phoneOutOfOrder(UInt32, record: Int)

    package var description: String {
        switch self {
        case .notATrace:
            "not a trace: it does not begin with the eight bytes that every trace begins with"
        case .unknownVersion(let version):
            "a trace of version \(version); this program reads version \(BinaryTrace.version)"
        case .unknownRecordSize(let size):
            "a trace with records of \(size) bytes; this program reads records of \(BinaryTrace.recordSize)"
        case .truncated(let expected, let found):
            "the trace is cut off: its header promises \(expected) bytes, there are \(found)"
        case .trailingBytes(let count):
            "\(count) bytes follow after the last record that the header of the trace counts"
        case .unknownKind(let code, let record):
            "record \(record) of the trace is of kind \(code), which this program does not know"
        case .phoneOutOfOrder(let phone, let record):
            "record \(record) of the trace is of phone \(phone) and stands behind a phone with a higher number"
        }
    }
}
