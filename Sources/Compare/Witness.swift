/// The replica and phone with the sample behind a metric's maximum or quantile, to look at in detail. Both are counted
/// from 0, as in events and flags.
public struct Witness: Hashable, Sendable {
    public var replica: Int
    public var phone: Int

    public init(replica: Int, phone: Int) {
        self.replica = replica
        self.phone = phone
    }

    /// Flags of `run` that show this phone alone.
    public var flags: String { "--replica \(replica) --phone \(phone)" }
}

/// Restricts a run to one replica, to one phone, or to both.
public struct Focus: Hashable, Sendable {
    /// `nil` for all.
    public var replica: Int?
    public var phone: Int?

    public init(replica: Int? = nil, phone: Int? = nil) {
        self.replica = replica
        self.phone = phone
    }

    public var isEverything: Bool { self == Focus() }

    /// Flags of `run`, with a space before each.
    public var flags: String {
        (replica.map { " --replica \($0)" } ?? "") + (phone.map { " --phone \($0)" } ?? "")
    }
}
