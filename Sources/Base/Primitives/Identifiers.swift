/// The index of a phone in the simulated population. Strategies that are compared run on the same phones with the same
/// weather (conditions that no client influences).
public struct PhoneID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var index: UInt32

    @inlinable public init(_ index: UInt32) { self.index = index }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// The direction of bytes, seen from the phone.
public enum Direction: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case up, down

    /// The name in metrics and files.
    public var name: String { self == .up ? "up" : "down" }
}

/// Why a byte was sent or radio time was spent. Raw values are written to traces: append new cases and
/// never renumber.
@usableFromInline package enum Cause: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case baseline, payload, keepalive, pong, ack, connect, tls, dns, resume, retransmit, poll, push, wake, otherApps,
        handover, search, probe, tunnel

    /// The name of the cause in metrics and reports.
    package var name: StaticString {
        switch self {
        case .baseline: "baseline"
        case .payload: "payload"
        case .keepalive: "keepalive"
        case .pong: "pong"
        case .ack: "ack"
        case .connect: "connect"
        case .tls: "tls"
        case .dns: "dns"
        case .resume: "resume"
        case .retransmit: "retransmit"
        case .poll: "poll"
        case .push: "push"
        case .wake: "wake"
        case .otherApps: "other_apps"
        case .handover: "handover"
        case .search: "search"
        case .probe: "probe"
        case .tunnel: "tunnel"
        }
    }
}
