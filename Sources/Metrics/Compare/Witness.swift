/// The replica and phone with the sample behind a metric's maximum or quantile, to look at in detail. Both are counted
/// from 0, as in events and flags.
package struct Witness: Hashable, Sendable {
    package var replica: Int
    package var phone: Int

    package init(replica: Int, phone: Int) {
        self.replica = replica
        self.phone = phone
    }

    /// Flags of `run` that show this phone alone.
    package var flags: String { "--replica \(replica) --phone \(phone)" }
}

/// Restricts a run to one replica, to one phone, or to both.
package struct Focus: Hashable, Sendable {
    /// `nil` for all.
    package var replica: Int?
    package var phone: Int?

    package init(replica: Int? = nil, phone: Int? = nil) {
        self.replica = replica
        self.phone = phone
    }

    package var isEverything: Bool { self == Focus() }

    /// Flags of `run`, with a space before each.
    package var flags: String {
        (replica.map { " --replica \($0)" } ?? "") + (phone.map { " --phone \($0)" } ?? "")
    }
}
