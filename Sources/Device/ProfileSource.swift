package import DeadzoneBase

/// The description of a radio profile: its name, and the source of each of its parameters. Not used on the hot path.
package struct ProfileSource: Hashable, Sendable {
    package var name: String
    package var about: String
    /// Round-trip time to a nearby server while connected, as the profile's source reports it; `nil` if the source
    /// has none.
    package var baseRoundTrip: TimeSpan?
    /// The parameters of the profile with their sources, in the order of the file.
    package var numbers: [Provenance]

    package init(name: String, about: String, baseRoundTrip: TimeSpan? = nil, numbers: [Provenance]) {
        self.name = name
        self.about = about
        self.baseRoundTrip = baseRoundTrip
        self.numbers = numbers
    }

    /// The parameters that were not measured for this network and phone.
    package var assumptions: [Provenance] { numbers.filter { $0.trust.isAssumption } }
}

/// The source of one parameter of a profile: citation and reliability.
package struct Provenance: Hashable, Sendable {
    /// The parameter's key in the profile, such as `promotion.delay`.
    package var parameter: String
    /// The parameter's value as written in the profile, such as `260ms`.
    package var value: String
    /// Citation of the parameter's source; empty for a plain assumption.
    package var source: String
    package var trust: Trust
    package var note: String

    package init(parameter: String, value: String, source: String, trust: Trust, note: String = "") {
        self.parameter = parameter
        self.value = value
        self.source = source
        self.trust = trust
        self.note = note
    }
}

/// How reliable a parameter of a profile is. The raw values are the letters in profile files.
package enum Trust: String, CaseIterable, Sendable {
    case read = "R"
    case computed = "C"
    case executed = "X"
    case secondary = "S"
    case derived = "D"
    case recalled = "K"
    case assumed = "A"
    /// The user has overridden the parameter.
    case user = "U"

    package var meaning: StaticString {
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

    package var isAssumption: Bool { self == .assumed || self == .recalled }
}
