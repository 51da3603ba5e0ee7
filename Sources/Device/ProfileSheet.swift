public import DeadzonePrimitives

/// What a profile says about itself: its name and where each of its numbers comes from. Cold: nothing on the hot path.
public struct ProfileSheet: Hashable, Sendable {
    public var name: String
    public var about: String
    /// Round trip to a near server while connected, where the source of the profile measured one.
    public var baseRoundTrip: TimeSpan?
    /// In the order of the file.
    public var numbers: [Provenance]

    public init(name: String, about: String, baseRoundTrip: TimeSpan? = nil, numbers: [Provenance]) {
        self.name = name
        self.about = about
        self.baseRoundTrip = baseRoundTrip
        self.numbers = numbers
    }

    /// The numbers that nobody measured for this network and phone.
    public var assumptions: [Provenance] { numbers.filter { $0.trust.isAssumption } }
}

/// Where one number comes from.
public struct Provenance: Hashable, Sendable {
    /// The place in the profile: `promotion.delay`.
    public var parameter: String
    /// As written: `260ms`.
    public var value: String
    /// A citation; empty for a plain assumption.
    public var source: String
    public var trust: Trust
    public var note: String

    public init(parameter: String, value: String, source: String, trust: Trust, note: String = "") {
        self.parameter = parameter
        self.value = value
        self.source = source
        self.trust = trust
        self.note = note
    }
}

/// How far a number can be trusted. The letters of profile files.
public enum Trust: String, CaseIterable, Sendable {
    case read = "R"
    case computed = "C"
    case executed = "X"
    case secondary = "S"
    case derived = "D"
    case recalled = "K"
    case assumed = "A"
    /// Overridden by the user.
    case user = "U"

    public var meaning: StaticString {
        switch self {
        case .read: "read in the source itself"
        case .computed: "computed from raw data of the source"
        case .executed: "obtained by running the source's program"
        case .secondary: "cited by others"
        case .derived: "derived from other numbers"
        case .recalled: "recalled, not checked again"
        case .assumed: "assumed, or borrowed from another network"
        case .user: "set by the user"
        }
    }

    public var isAssumption: Bool { self == .assumed || self == .recalled }
}
