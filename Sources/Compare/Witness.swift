/// Where the sample lies that a longest or a quantile names: what to look at to see how the number came about. Both are
/// counted from 0, as events and flags count them.
public struct Witness: Hashable, Sendable {
    public var replica: Int
    public var phone: Int

    public init(replica: Int, phone: Int) {
        self.replica = replica
        self.phone = phone
    }

    /// What `run` takes to show that phone alone.
    public var flags: String { "--replica \(replica) --phone \(phone)" }
}

/// The part of a run that somebody asked for alone.
public struct Focus: Hashable, Sendable {
    /// Nil: all of them.
    public var replica: Int?
    public var phone: Int?

    public init(replica: Int? = nil, phone: Int? = nil) {
        self.replica = replica
        self.phone = phone
    }

    public var isEverything: Bool { self == Focus() }

    /// As the command takes it, with a blank before each flag.
    public var flags: String {
        (replica.map { " --replica \($0)" } ?? "") + (phone.map { " --phone \($0)" } ?? "")
    }
}
