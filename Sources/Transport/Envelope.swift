/// Encoding of an app's messages before the protocol frames them: protobuf, JSON, text, or none. The
/// fields are those of the streaming article's contract:
///
///     message StreamRequest { int64 resume_cursor = 1; string client_session_id = 2; }
///     message StreamEvent   { int64 sequence_id = 1; EventType type = 2; bytes payload = 3; }
///     enum EventType        { UPDATE = 0; SNAPSHOT = 1; HEARTBEAT = 2; }
///
/// Sizes are those of the real encodings. Protobuf's wire format (protobuf.dev, "Encoding") omits a field that has its
/// default. JSON follows the mapping of proto3 (protobuf.dev, "ProtoJSON Format"): a 64-bit number is a string and
/// bytes are base64. `text` writes a payload that is itself JSON unchanged, as a WebSocket app without protobuf would.
package enum Envelope: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The payload is sent without an envelope. A receipt then is a number of eight bytes.
    case none
    case protobuf
    case json
    case text

    package enum EventType: UInt8, CaseIterable, Hashable, Sendable {
        case update = 0
        case snapshot, heartbeat

        /// Number of letters in the name of this event type in JSON, such as 6 in "UPDATE".
        var letters: UInt32 {
            switch self {
            case .update: 6
            case .snapshot: 8
            case .heartbeat: 9
            }
        }
    }

    /// Bytes of a client's session identifier: a UUID as text (RFC 9562 §4).
    static let sessionID: UInt32 = 36

    /// Size in bytes of the encoded message with this index. Its `sequence_id` is the index plus one, because 0 means
    /// that a client has no message yet.
    package func message(_ payload: UInt32, _ index: UInt32) -> UInt32 { event(.update, UInt64(index) + 1, payload) }

    /// Size in bytes of an encoded snapshot: the complete state up to the message number `position`.
    package func snapshot(_ payload: UInt32, _ position: UInt32) -> UInt32 {
        event(.snapshot, UInt64(position), payload)
    }

    package func heartbeat(_ position: UInt32) -> UInt32 { event(.heartbeat, UInt64(position), 0) }

    package func event(_ type: EventType, _ sequence: UInt64, _ payload: UInt32) -> UInt32 {
        switch self {
        case .none: return payload
        case .protobuf:
            return Self.number(sequence) + Self.number(UInt64(type.rawValue)) + Self.bytes(payload)
        case .json, .text:
            // {"sequenceId":"1847","type":"SNAPSHOT","payload":"…"}, without fields that have their default; braces and
            // commas.
            let isDefault = type == .update && self == .json
            return Self.object(
                sequence == 0 ? 0 : 13 + 2 + Self.digits(sequence),
                isDefault ? 0 : 7 + 2 + type.letters,
                payload == 0 ? 0 : 10 + (self == .text ? payload : 2 + Self.base64(payload)))
        }
    }

    /// Size in bytes of the request with which a client resumes after the message number `position`.
    package func request(_ position: UInt32) -> UInt32 {
        switch self {
        case .none: 0
        case .protobuf: Self.number(UInt64(position)) + Self.bytes(Self.sessionID)
        // {"resumeCursor":"1847","clientSessionId":"…"}
        case .json, .text:
            Self.object(position == 0 ? 0 : 15 + 2 + Self.digits(UInt64(position)), 18 + 2 + Self.sessionID, 0)
        }
    }

    /// Size in bytes of a receipt: the confirmation that every message below `position` has arrived. The article
    /// defines no receipt. This uses a message of its contract that carries only a number.
    package func receipt(_ position: UInt32) -> UInt32 {
        switch self {
        case .none: 8
        case .protobuf: Self.number(UInt64(position))
        // {"type":"ACK","seq":1847}
        case .json, .text: 20 + Self.digits(UInt64(position)) + 1
        }
    }

    // MARK: Protobuf

    /// Size in bytes of a number as a varint, protobuf's encoding with seven bits in each byte, the lowest bits first.
    package static func varint(_ value: UInt64) -> UInt32 {
        max(UInt32(70 - value.leadingZeroBitCount) / 7, 1)
    }

    /// Size in bytes of an integer field with its tag. The tag of a field number below 16 takes one byte.
    private static func number(_ value: UInt64) -> UInt32 { value == 0 ? 0 : 1 + varint(value) }
    private static func bytes(_ count: UInt32) -> UInt32 { count == 0 ? 0 : 1 + varint(UInt64(count)) + count }

    // MARK: JSON

    static func digits(_ value: UInt64) -> UInt32 {
        var rest = value
        var count: UInt32 = 1
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// Number of characters when `bytes` bytes are encoded as base64 with padding (RFC 4648 §4).
    static func base64(_ bytes: UInt32) -> UInt32 { (bytes + 2) / 3 * 4 }

    /// Size of a JSON object with three fields of these sizes. A field of size 0 is absent. Adds the braces, and the
    /// commas between the fields.
    private static func object(_ one: UInt32, _ two: UInt32, _ three: UInt32) -> UInt32 {
        let count = (one > 0 ? 1 : 0) + (two > 0 ? 1 : 0) + (three > 0 ? 1 : 0) as UInt32
        return 2 + one + two + three + max(count, 1) - 1
    }
}
