public import DeadzoneDevice
public import DeadzonePrimitives

/// The profiles of a phone's Wi-Fi and cellular radios, or those of all phones of a population. A missing radio costs
/// nothing.
public struct RadioProfiles: Sendable {
    /// For each interface, the profile of the radio at the start, then those of its other technologies, numbered from
    /// 1.
    private let profiles: [[RadioProfile]]

    public init(wifi: [RadioProfile], cellular: [RadioProfile]) { profiles = [wifi, cellular] }

    public init(wifi: RadioProfile?, cellular: RadioProfile?) {
        self.init(wifi: [wifi].compactMap(\.self), cellular: [cellular].compactMap(\.self))
    }

    public subscript(interface: Interface) -> RadioProfile? { technologies(of: interface).first }

    /// All technologies of the interface's radio, in order. Empty if there is no radio.
    public func technologies(of interface: Interface) -> [RadioProfile] { profiles[Int(interface.rawValue)] }

    var fitted: [Interface] { Interface.allCases.filter { self[$0] != nil } }
}

/// The models that compute the energy of radio time and bytes on a phone: radios, processor, battery.
public struct Prices: Sendable {
    public var radios: RadioProfiles
    /// `nil` if the scenario names no platform. Then no processor is modelled.
    public var processor: ProcessorPower?
    /// The phone's battery. `nil` if the scenario does not give it.
    public var battery: Battery?

    public init(radios: RadioProfiles, processor: ProcessorPower? = nil, battery: Battery? = nil) {
        self.radios = radios
        self.processor = processor
        self.battery = battery
    }
}
