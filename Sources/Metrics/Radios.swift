public import DeadzoneDevice
public import DeadzonePrimitives

/// The radios of a phone, or of all phones of a population. One that is not there costs nothing.
public struct Radios: Sendable {
    /// By interface: what the radio is at first, and from technology 1 on what else it can be.
    private let profiles: [[RadioProfile]]

    public init(wifi: [RadioProfile], cellular: [RadioProfile]) { profiles = [wifi, cellular] }

    public init(wifi: RadioProfile?, cellular: RadioProfile?) {
        self.init(wifi: [wifi].compactMap(\.self), cellular: [cellular].compactMap(\.self))
    }

    public subscript(interface: Interface) -> RadioProfile? { technologies(of: interface).first }

    /// Whatever the radio of the interface can be, in order; none if there is no radio.
    public func technologies(of interface: Interface) -> [RadioProfile] { profiles[Int(interface.rawValue)] }

    var present: [Interface] { Interface.allCases.filter { self[$0] != nil } }
}

/// What time and bytes cost on a phone.
public struct Prices: Sendable {
    public var radios: Radios
    /// Nil: the scenario names no platform, and no processor is modelled.
    public var processor: ProcessorPower?
    /// What the phone's battery holds, if the scenario says.
    public var battery: Battery?

    public init(radios: Radios, processor: ProcessorPower? = nil, battery: Battery? = nil) {
        self.radios = radios
        self.processor = processor
        self.battery = battery
    }
}
