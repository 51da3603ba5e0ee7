public import DeadzoneDevice
public import DeadzonePrimitives

/// The radios of a phone. One that is not there costs nothing.
public struct Radios: Sendable {
    public var wifi: RadioProfile?
    public var cellular: RadioProfile?
    /// What else the cellular radio can be, from technology 1 on.
    public var cellularAlternates: [RadioProfile]

    public init(wifi: RadioProfile?, cellular: RadioProfile?, cellularAlternates: [RadioProfile] = []) {
        self.wifi = wifi
        self.cellular = cellular
        self.cellularAlternates = cellularAlternates
    }

    public subscript(interface: Interface) -> RadioProfile? { interface == .wifi ? wifi : cellular }

    /// Whatever the radio of the interface can be, in order; none if there is no radio.
    func technologies(of interface: Interface) -> [RadioProfile] {
        guard let profile = self[interface] else { return [] }
        return interface == .cellular ? [profile] + cellularAlternates : [profile]
    }

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
