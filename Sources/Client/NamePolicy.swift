public import DeadzoneBase

/// Policy for the server's name: when the client's library asks the system for the address, and what it keeps.
///
/// This memory belongs to the app's process, and is the same on every network. The system has a cache of its own for
/// each network, which the library asks. The simulation executes the policy, because a client cannot see an address.
///
///     asks ──answer──> keeps the address ──kept too long, or too many failed attempts──> asks
///     asks ──no answer──> keeps the failure ──kept too long──> asks
///
/// The diagram omits `usesStale`: with it, no answer leads to the address that was kept too long.
public struct NamePolicy: Hashable, Sendable {
    /// Time for which the library uses an address without asking again; `.zero` asks for each attempt, `.longest`
    /// only for the first attempt of the process.
    public var keepsAddress = TimeSpan.zero
    /// Time for which the library fails attempts at once after the name was not resolved.
    public var keepsFailure = TimeSpan.zero
    /// Number of failed attempts in a row to one address, after which the library asks again; `nil` if it never does.
    public var asksAfter: UInt8?
    /// `true` if the library uses the last address, however old, when the name is not resolved.
    public var usesStale = false
    /// The addresses that the library uses.
    public var family = AddressFamily.any

    public init() {}

    /// The next step of an attempt to connect.
    package enum AddressChoice: Hashable, Sendable, BitwiseCopyable {
        /// Ask the system.
        /// - Parameter orElse: Number of the address to use if the name is not resolved; `nil` for none.
        case ask(orElse: UInt16?)
        /// Connect to the address with this number.
        case use(UInt16)
        /// Fail: the name was not resolved a short time ago.
        case fail
    }

    /// The library's memory of the server's name, on one phone.
    package struct State: Hashable, Sendable, BitwiseCopyable {
        fileprivate var address: UInt16 = 0
        fileprivate var hasAddress = false
        /// Number of attempts to the address since it was last answered, or since a connection to it last opened.
        fileprivate var attempts: UInt8 = 0
        fileprivate var keptUntil = Instant.zero
        fileprivate var failsUntil = Instant.zero

        package init() {}
    }

    /// Decides the next step of an attempt to connect.
    package func choose(_ state: inout State, at now: Instant) -> AddressChoice {
        let last = state.hasAddress ? state.address : nil
        if let last, now < state.keptUntil, asksAfter.map({ state.attempts < $0 }) ?? true {
            state.attempts += state.attempts < .max ? 1 : 0
            return .use(last)
        }
        guard now < state.failsUntil else { return .ask(orElse: usesStale ? last : nil) }
        return usesStale ? last.map { .use($0) } ?? .fail : .fail
    }

    /// Called when the system has answered with an address. The present attempt uses it.
    package func answered(_ address: UInt16, _ state: inout State, at now: Instant) {
        state.address = address
        state.hasAddress = true
        state.attempts = 1
        state.keptUntil = keepsAddress == .longest ? .never : now + keepsAddress
        state.failsUntil = .zero
    }

    /// Called when the system has not resolved the name.
    package func unresolved(_ state: inout State, at now: Instant) { state.failsUntil = now + keepsFailure }

    /// Called when a connection has opened.
    package func opened(_ state: inout State) { state.attempts = 0 }
}

extension SettingsReader {
    /// Reads the policy for the server's name, written as `names: {cache: 10m, after: 3}`.
    public mutating func names(_ key: String) -> NamePolicy? {
        section(key, "what the client's library keeps of the server's name, for a scenario with `resolver`") {
            settings in
            var policy = NamePolicy()
            policy.family = settings.word(
                "family", of: [("any", .any), ("ipv4", .ipv4), ("literal", .literal)], default: .any,
                "ipv4: sockets of IPv4 alone; literal: the app contains an IPv4 address, and resolves no name")
            if policy.family == .literal, !settings.isDescribing {
                settings.refuse(
                    ["resolves", "cache", "after", "negative", "stale"], "beside `family: literal`",
                    label: "no name is resolved")
                return policy
            }
            let isOnce = settings.word(
                "resolves", of: [("each-attempt", false), ("at-start", true)], default: false,
                "each-attempt: unless `cache` has the address; at-start: only for the first attempt of the process")
            if isOnce, !settings.isDescribing {
                policy.keepsAddress = .longest
                settings.refuse(
                    ["cache"], "beside `resolves: at-start`", label: "the address is kept until the process ends")
            } else {
                policy.keepsAddress = settings.span(
                    "cache", default: .zero, in: .zero ... .hours(24 * 366),
                    "time for which an address is kept, on every network")
            }
            policy.asksAfter = settings.count(
                "after", in: 1...255, "failed attempts to a kept address after which it resolves again; default: never"
            ).map { UInt8($0) }
            policy.keepsFailure = settings.span(
                "negative", default: .zero, in: .zero ... .hours(24 * 366),
                "time for which attempts fail at once after the name was not resolved")
            policy.usesStale = settings.word(
                "stale", of: [("never", false), ("when-failing", true)], default: false,
                "when-failing: uses the last address, however old, if the name is not resolved")
            return policy
        }
    }
}
