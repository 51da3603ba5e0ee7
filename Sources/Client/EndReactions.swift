public import DeadzoneBase

/// Policy by kind of end: what the client does after an attempt has failed or a connection has ended, where it differs
/// from the usual wait.
///
/// A code that the server has stated decides first, then the kind of the end. An end without an entry is followed by
/// the usual wait.
public struct EndReactions: Hashable, Sendable {
    public enum EndReaction: Hashable, Sendable, BitwiseCopyable {
        /// Waits as `backoff` says.
        case usual
        /// Waits as `backoff` says, but the end does not count as a failure: the next wait is no longer.
        case uncounted
        /// Waits as long as `backoff` ever waits.
        case longest
        /// Waits exactly this long, without jitter. The end does not count as a failure.
        case wait(TimeSpan)
        /// Makes no attempt by itself. An event to which the client reacts starts one: a new path, the foreground, a
        /// push.
        case stop
        /// Makes no attempt before this event.
        case hold(ConnectLimits.Barrier)

        /// `true` if no attempt follows that the client makes by itself.
        var endsRetries: Bool {
            switch self {
            case .stop, .hold: true
            case .usual, .uncounted, .longest, .wait: false
            }
        }
    }

    /// One kind of end, and the reaction to it.
    package struct KindRule: Hashable, Sendable, BitwiseCopyable {
        package var kind: EndKind
        package var reaction: EndReaction
    }

    /// The codes of one entry, and the reaction to them.
    package struct CodeRule: Hashable, Sendable {
        package var codes: ClosedRange<UInt16>
        package var reaction: EndReaction
    }

    /// Codes that a server can state: HTTP statuses, MQTT reason codes, and close codes of WebSockets up to 4999
    /// (RFC 6455 §7.4).
    package static let codes: ClosedRange<UInt16> = 1...4999

    package private(set) var kindRules: [KindRule] = []
    package private(set) var codeRules: [CodeRule] = []

    public init() {}

    public var isEmpty: Bool { kindRules.isEmpty && codeRules.isEmpty }

    /// `true` if an entry has this reaction.
    func uses(_ reaction: EndReaction) -> Bool {
        kindRules.contains { $0.reaction == reaction } || codeRules.contains { $0.reaction == reaction }
    }

    /// The entry of a kind; `nil` if it has none.
    public subscript(kind: EndKind) -> EndReaction? {
        get { kindRules.first { $0.kind == kind }?.reaction }
        set {
            kindRules.removeAll { $0.kind == kind }
            if let newValue { kindRules.append(KindRule(kind: kind, reaction: newValue)) }
        }
    }

    /// Adds an entry for codes. No two entries may share a code.
    package mutating func add(_ rule: CodeRule) { codeRules.append(rule) }

    /// Returns the reaction to an end.
    /// - Parameter code: The code that the server stated; 0 if it stated none.
    public func reaction(to kind: EndKind, code: UInt16) -> EndReaction {
        if code != 0, let rule = codeRules.first(where: { $0.codes.contains(code) }) { return rule.reaction }
        return self[kind] ?? .usual
    }
}
